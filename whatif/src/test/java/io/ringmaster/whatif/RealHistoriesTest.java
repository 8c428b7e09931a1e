package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays of real histories beside what happened. They are not part of this repository: run with
 * {@code RINGMASTER_TRACES} set to the directory that holds {@code swf/} and {@code alibaba/}. The
 * figures are those of docs/truth.md.
 */
class RealHistoriesTest {
  @TempDir Path folder = Path.of("");

  private Answer replayed(String name, String servers) throws IOException {
    String directory = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(directory != null, "RINGMASTER_TRACES is not set: skipped " + name);
    Path file = Path.of(directory, name);
    Assumptions.assumeTrue(Files.exists(file), "there is no " + file);
    Path cluster = folder.resolve("cluster.yaml");
    Files.writeString(cluster, "servers:\n%snetwork: {model: none}\n".formatted(servers));
    History history = History.read(List.of(file), null, Map.of(), cluster, (_, _) -> {});
    return new WhatIf(history, new Question("predicted", 1, 1, 2))
        .answer(List.of(Case.parse("policy fifo")), _ -> {});
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
