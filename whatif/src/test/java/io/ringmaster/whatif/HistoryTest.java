package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  @TempDir Path folder = Path.of("");

  private static final String HEADER =
      "JobID|User|Partition|Submit|Eligible|Start|End|ElapsedRaw|State|AllocTRES|NodeList|JobName\n";

  /** A job that ran for ten minutes, or did something else. */
  private static String row(int id, String partition, String state, int gpus) {
    return "%d|ann|%s|1000|1000|1000|1600|600|%s|cpu=4%s|n1|train\n"
        .formatted(id, partition, state, gpus == 0 ? "" : ",gres/gpu=" + gpus);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static History read(Path... files) {
    return read(Map.of(), files);
  }

  private static History read(Map<String, String> settings, Path... files) {
    return History.read(List.of(files), null, settings, null, (_, _) -> {});
  }

  @Test
  void rowsThatAreNoJobsAreCounted() throws IOException {
    History history =
        read(
            file(
                "sacct.txt",
                HEADER
                    + row(1, "gpu", "COMPLETED", 4)
                    + row(2, "gpu", "COMPLETED", 0)
                    + row(3, "gpu", "FAILED", 0)
                    + row(4, "gpu", "RUNNING", 2)));
    assertThat(history.jobs().size()).isEqualTo(1);
    assertThat(history.notes())
        .first()
        .isEqualTo("3 of 4 rows are left out (asks for no GPU: 2; is still running: 1)");
  }

  @Test
  void aSettingOfTheFormatNamesOnePartition() throws IOException {
    Path both =
        file(
            "sacct.txt",
            HEADER
                + row(1, "gpu", "COMPLETED", 4)
                + row(2, "big", "COMPLETED", 8)
                + row(3, "gpu", "COMPLETED", 2));
    assertThat(read(both).jobs().size()).isEqualTo(3);
    History one = read(Map.of("partition", "gpu"), both);
    assertThat(one.jobs().size()).isEqualTo(2);
    assertThat(one.cluster().totalGpus()).isEqualTo(6);
    assertThatThrownBy(() -> read(Map.of("partitoin", "gpu"), both))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("partition");
  }

  @Test
  void aJobsFileHasNoSettings() throws IOException {
    Path jobs = file("jobs.csv", "job_id,submit_s,gpus,duration_s\na,0,1,60\n");
    assertThatThrownBy(() -> read(Map.of("partition", "gpu"), jobs))
        .isInstanceOf(BadInput.class)
        .hasMessage("--set partition: a jobs file has no settings; leave it out");
  }

  @Test
  void severalFilesAreOneHistory() throws IOException {
    Path first = file("october.txt", HEADER + row(1, "gpu", "COMPLETED", 4));
    Path second = file("november.txt", HEADER + row(2, "gpu", "COMPLETED", 2));
    Jobs jobs = read(first, second).jobs();
    assertThat(List.of(jobs.id(0), jobs.id(1))).containsExactly("1", "2");
  }

  /** The same site, asked in both ways. */
  @Test
  void whatSacctSaysAsJsonIsTheSameHistory() {
    History text = read(Path.of(TRACES, "lab.txt"));
    History json = read(Path.of(TRACES, "lab.json"));
    assertThat(json.format()).isEqualTo("sacct");
    assertThat(json.cluster().totalGpus()).isEqualTo(text.cluster().totalGpus());
    List<String> cases = List.of("add 1x%d".formatted(json.cluster().maxServerGpus()));
    assertThat(answer(json, cases).cases().get(1).waitMeanSeconds())
        .isEqualTo(answer(text, cases).cases().get(1).waitMeanSeconds());
  }

  @Test
  void whatKubectlSaysIsAHistory() {
    History history = read(Path.of("../docs/examples/pods.json"));
    assertThat(history.format()).isEqualTo("kubectl");
    Answer answer = answer(history, List.of());
    assertThat(answer.truth()).isPresent();
    assertThat(answer.cases()).hasSizeGreaterThan(5);
  }

  private static final String TRACES =
      "../workload/src/test/resources/io/ringmaster/workload/trace";

  private static Answer answer(History history, List<String> cases) {
    return new WhatIf(history, new Question("predicted", 1, 1, 2))
        .answer(cases.stream().map(Case::parse).toList(), _ -> {});
  }
}
