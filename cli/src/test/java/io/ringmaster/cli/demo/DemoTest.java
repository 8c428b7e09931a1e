package io.ringmaster.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a person runs it, with fewer jobs. */
class DemoTest {
  @TempDir Path temporary;

  /** Processes that have the demo's folder in their environment, as all workers do. */
  private List<String> left() throws IOException {
    List<String> left = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (read(process.resolve("environ")).contains(temporary.toString())) {
          left.add(read(process.resolve("cmdline")).replace('\0', ' '));
        }
      }
    }
    return left;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // It has ended meanwhile.
    }
  }

  @Test
  void jobsTrainAndWhatHappenedIsSetBesideWhatWasSaid() throws Exception {
    String kept = temporary.resolve("kept").toString();
    try (DemoProcess demo = DemoProcess.start(temporary, "--jobs", "2", "--json", "--data", kept)) {
      assertThat(demo.process().waitFor(180, TimeUnit.SECONDS)).as(demo.err()).isTrue();
      assertThat(demo.process().exitValue()).as(demo.err()).isZero();
      Map<String, @Nullable Object> result = JsonText.object(demo.out());
      assertThat(result).containsKeys("start_s", "stop_s", "step_s", "error");
      assertThat((List<?>) result.get("jobs")).hasSize(2);
      assertThat((List<?>) result.get("simulated")).hasSize(5);
      assertThat(String.valueOf(result.get("measured"))).contains("jct_mean_s", "restart_s");
      assertThat(demo.err())
          .contains("Dashboard: http://127.0.0.1:", "runs with 8 workers", "is done");
      assertThat(temporary.resolve("kept")).isDirectoryContaining("glob:**cluster.yaml");
      assertThat(left()).isEmpty();
    }
  }

  @Test
  void ctrlCLeavesNothing() throws Exception {
    try (DemoProcess demo = DemoProcess.start(temporary, "--jobs", "4")) {
      demo.await("runs with");
      demo.interrupt();
      assertThat(demo.process().waitFor(60, TimeUnit.SECONDS)).as(demo.out()).isTrue();
      assertThat(demo.process().exitValue()).as(demo.err()).isEqualTo(130);
      assertThat(demo.out()).endsWith("Stopped; nothing is left running.\n");
      assertThat(left()).isEmpty();
      try (var files = Files.list(temporary)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .containsExactlyInAnyOrder("out", "err");
      }
    }
  }

  @Test
  void mistakes() {
    assertThat(Cli.run("demo", "--jobs", "0").err())
        .isEqualTo("ringmaster: --jobs: expected a whole number from 1 to 26, not 0\n");
    assertThat(Cli.run("demo", "--policy", "dubling").status()).isEqualTo(2);
    assertThat(Cli.run("demo", "--data", temporary.toString()).err())
        .contains("is there already; name a folder to make");
  }
}
