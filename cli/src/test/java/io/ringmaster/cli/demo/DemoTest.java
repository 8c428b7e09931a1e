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

  private Process start(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                "io.ringmaster.cli.Main",
                "demo"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .redirectOutput(temporary.resolve("out").toFile())
        .redirectError(temporary.resolve("err").toFile())
        .start();
  }

  private String out() throws IOException {
    return Files.readString(temporary.resolve("out"));
  }

  private String err() throws IOException {
    return Files.readString(temporary.resolve("err"));
  }

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
    Process demo = start("--jobs", "2", "--json", "--data", temporary.resolve("kept").toString());
    assertThat(demo.waitFor(180, TimeUnit.SECONDS)).as(err()).isTrue();
    assertThat(demo.exitValue()).as(err()).isZero();
    Map<String, @Nullable Object> result = JsonText.object(out());
    assertThat(result).containsKeys("start_s", "stop_s", "step_s", "error");
    assertThat((List<?>) result.get("jobs")).hasSize(2);
    assertThat((List<?>) result.get("simulated")).hasSize(4);
    assertThat(String.valueOf(result.get("measured"))).contains("jct_mean_s", "restart_s");
    assertThat(err()).contains("Dashboard: http://127.0.0.1:", "runs with 8 workers", "is done");
    assertThat(temporary.resolve("kept")).isDirectoryContaining("glob:**cluster.yaml");
    assertThat(left()).isEmpty();
  }

  @Test
  void ctrlCLeavesNothing() throws Exception {
    Process demo = start("--jobs", "4");
    while (!out().contains("runs with")) {
      assertThat(demo.isAlive()).as(out() + err()).isTrue();
      Thread.sleep(50);
    }
    new ProcessBuilder("kill", "-INT", Long.toString(demo.pid())).start().waitFor();
    assertThat(demo.waitFor(60, TimeUnit.SECONDS)).as(out()).isTrue();
    assertThat(demo.exitValue()).as(err()).isEqualTo(130);
    assertThat(out()).endsWith("Stopped; nothing is left running.\n");
    assertThat(left()).isEmpty();
    try (var files = Files.list(temporary)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("out", "err");
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
