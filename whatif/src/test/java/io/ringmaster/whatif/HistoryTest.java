package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    return History.read(List.of(files), null, null, (_, _) -> {});
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
}
