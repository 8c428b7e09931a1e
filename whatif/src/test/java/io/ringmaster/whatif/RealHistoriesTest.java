package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays of histories beside what happened; the figures are those of docs/truth.md. Real ones are
 * not part of this repository: run with {@code RINGMASTER_TRACES} set to the directory that holds
 * {@code swf/} and {@code alibaba/}.
 */
class RealHistoriesTest {
  @TempDir Path folder = Path.of("");

  private static Path trace(String name) {
    String directory = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(directory != null, "RINGMASTER_TRACES is not set: skipped " + name);
    Path file = Path.of(directory, name);
    Assumptions.assumeTrue(Files.exists(file), "there is no " + file);
    return file;
  }

  private Answer replayed(String name, String servers) throws IOException {
    Path file = trace(name);
    Path cluster = folder.resolve("cluster.yaml");
    Files.writeString(cluster, "servers:\n%snetwork: {model: none}\n".formatted(servers));
    return replayed(History.read(List.of(file), null, Map.of(), cluster, (_, _) -> {}));
  }

  private static Answer replayed(History history) {
    return new WhatIf(history, new Question("predicted", 1, 1, 2))
        .answer(List.of(Case.parse("policy fifo"), Case.parse("policy easy")), _ -> {});
  }

  private static double hours(Range seconds) {
    return seconds.mean() / 3600;
  }

  /** It is made up, and comes with the repository. */
  @Test
  void theTutorialsReplayIsAThirdTooShort() {
    Answer answer =
        replayed(
            History.read(
                List.of(Path.of("../docs/examples/sacct.txt.gz")),
                null,
                Map.of(),
                null,
                (_, _) -> {}));
    Truth truth = answer.truth().orElseThrow();
    assertThat(truth.jobs()).isEqualTo(1_757);
    assertThat(truth.waitMeanSeconds() / 60).isCloseTo(137, within(0.5));
    assertThat(answer.replay().policy()).isEqualTo("fifo");
    assertThat(answer.replay().waitMeanSeconds().mean() / 60).isCloseTo(93, within(0.5));
    assertThat(answer.cases().get(2).waitMeanSeconds().mean() / 60).isCloseTo(18, within(0.5));
    assertThat(truth.waitErrorSeconds() / 60).isCloseTo(43, within(0.5));
    assertThat(truth.nearShare()).isCloseTo(0.38, within(0.005));
    assertThat(truth.completionMeanSeconds() / 3600).isCloseTo(4.00, within(0.005));
    assertThat(hours(answer.replay().completionMeanSeconds())).isCloseTo(3.28, within(0.005));
    assertThat(truth.freeShare()).isCloseTo(0.90, within(0.005));
  }

  @Test
  void podsThatWaitForSomethingElseWaitForNothingInTheReplay() throws Exception {
    Path archive = trace("alibaba/gpu-v2023_openb_csv.tar.xz");
    List<String> names =
        List.of("csv/openb_pod_list_default.csv", "csv/openb_node_list_all_node.csv");
    List<String> unpack =
        Stream.concat(
                Stream.of("tar", "-xf", archive.toString(), "-C", folder.toString()),
                names.stream())
            .toList();
    assertThat(new ProcessBuilder(unpack).inheritIO().start().waitFor()).isZero();
    History history =
        History.read(
            names.stream().map(folder::resolve).toList(), null, Map.of(), null, (_, _) -> {});
    Answer answer = replayed(history);
    Truth truth = answer.truth().orElseThrow();
    assertThat(history.cluster().size()).isEqualTo(1_213);
    assertThat(truth.jobs()).isEqualTo(6_203);
    assertThat(truth.waitMeanSeconds()).isCloseTo(70, within(0.5));
    assertThat(answer.replay().waitMeanSeconds().mean()).isLessThan(0.5);
    assertThat(truth.nearShare()).isCloseTo(0.82, within(0.005));
    assertThat(truth.completionMeanSeconds() / 3600).isCloseTo(8.59, within(0.005));
    assertThat(hours(answer.replay().completionMeanSeconds())).isCloseTo(8.57, within(0.005));
    assertThat(truth.freeShare()).isGreaterThan(0.995);
  }

  @Test
  void aClusterWithQueuesAndLimitsWaitsLongerThanItsReplay() throws IOException {
    Answer answer =
        replayed(
            "swf/metacentrum_wagap-2013.swf.xz",
            "  - {count: 26, gpus: 12}\n  - {count: 18, gpus: 80}\n");
    Truth truth = answer.truth().orElseThrow();
    assertThat(truth.jobs()).isEqualTo(17_898);
    assertThat(truth.waitMeanSeconds() / 3600).isCloseTo(14.2, within(0.05));
    assertThat(answer.replay().policy()).isEqualTo("fifo");
    assertThat(answer.replay().waitMeanSeconds().mean() / 3600).isCloseTo(3.5, within(0.05));
    assertThat(truth.nearShare()).isCloseTo(0.40, within(0.01));
    assertThat(truth.freeShare()).isGreaterThan(0.99);
    assertThat(answer.sentences().get(1)).contains("does not explain why they waited");
  }

  @Test
  void whereNobodyWaitedForGpusThatIsSaid() throws IOException {
    Answer answer =
        replayed("alibaba/gpu-v2025_disaggregated_DLRM_trace.csv.gz", "  - {count: 29, gpus: 8}\n");
    Truth truth = answer.truth().orElseThrow();
    assertThat(truth.waitMeanSeconds() / 60).isCloseTo(6.5, within(0.05));
    assertThat(answer.replay().waitMeanSeconds().mean()).isZero();
    assertThat(truth.freeShare()).isCloseTo(1, within(1e-9));
    assertThat(answer.sentences().get(1)).contains("does not explain why they waited");
  }
}
