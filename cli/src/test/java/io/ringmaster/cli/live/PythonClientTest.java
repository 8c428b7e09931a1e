package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.job.JobState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python client calls what openapi.yaml describes, and a real server answers it. */
class PythonClientTest {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @TempDir Path temporary;

  /** Whoever waits for a job would wait for ever for one that ended in a way it does not know. */
  @Test
  void knowsAllStatesInWhichAJobHasEnded() throws IOException {
    String ends =
        Arrays.stream(JobState.values())
            .filter(JobState::isEnd)
            .map(state -> '"' + state.text() + '"')
            .collect(Collectors.joining(", "));
    assertThat(Files.readString(Path.of("../clients/python/ringmaster.py")))
        .contains("\nENDED = (" + ends + ")\n");
  }

  @Test
  void submitsWaitsReadsExplainsAndCancels() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PYTHON), "there is no " + PYTHON);
    try (Serving serving = Served.start(temporary.resolve("data"), "fifo", 2)) {
      ProcessBuilder client =
          new ProcessBuilder(
                  PYTHON.toString(),
                  "-B",
                  "test_ringmaster.py",
                  Path.of("../control/src/main/resources/openapi.yaml").toAbsolutePath().toString(),
                  serving.url())
              .directory(Path.of("../clients/python").toFile())
              .redirectErrorStream(true);
      // A token of whoever runs the tests would be refused.
      client.environment().put("HOME", temporary.toString());
      client.environment().remove("RINGMASTER_TOKEN");
      Process process = client.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      assertThat(said).isEqualTo("ok\n");
    }
  }
}
