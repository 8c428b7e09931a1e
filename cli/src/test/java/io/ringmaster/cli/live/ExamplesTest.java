package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.training.Worker;
import io.ringmaster.training.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of examples/ under a server that resizes them. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("../examples");

  @TempDir Path temporary;
  private final String home = System.getProperty("user.home", "");
  private @Nullable Serving serving;

  @BeforeEach
  void start() {
    System.setProperty("user.home", temporary.toString());
    serving = Served.start(temporary.resolve("data"), "doubling", 2);
  }

  @AfterEach
  void stop() {
    System.setProperty("user.home", home);
    Objects.requireNonNull(serving).close();
  }

  @Test
  void theWorkerIsResized() throws IOException {
    List<String> command = Worker.command("--samples", "9600", "--pace", "20ms");
    Path file = temporary.resolve("job.yaml");
    Files.writeString(
        file,
        "{name: worker, gpus: 1, max_gpus: 2, duration_s: 86400, command: [%s]}\n"
            .formatted(
                command.stream().map(word -> '"' + word + '"').collect(Collectors.joining(", "))));
    isResized(file, "begins, workers 2, samples 9600", "goes on after sample \\d+, workers 1");
    assertThat(good("logs", "1")).contains("held-out accuracy");
  }

  @Test
  void theWorkersJobIsAWorker() {
    JobFile job = JobFile.read(EXAMPLES.resolve("worker/job.yaml")).getFirst();
    List<?> command = (List<?>) Objects.requireNonNull(job.job().get("command"));
    assertThat(command.subList(0, 2))
        .map(String::valueOf)
        .containsExactly("./ringmaster", "worker");
    String[] options = command.stream().skip(2).map(String::valueOf).toArray(String[]::new);
    // 32 samples in 50 ms.
    assertThat(WorkerOptions.parse(options).samples() / 640.0).isBetween(0.9 * 160, 1.1 * 160);
    assertThat(job.job()).containsEntry("max_gpus", 8);
  }

  @Test
  void pytorchIsResized() throws IOException, InterruptedException {
    assumeTrue(
        runs("/usr/bin/python3", "-c", "import torch"),
        "PyTorch is not installed (Debian: apt-get install python3-torch)");
    Path file = copy("pytorch", Map.of("\"100000\"", "\"40000\""));
    isResized(file, "begins, workers 2", "goes on after sample \\d+, workers 1");
  }

  @Test
  void mpiIsResized() throws IOException, InterruptedException {
    assumeTrue(
        runs("mpicc", "--version") && runs("mpirun", "--version"),
        "MPI is not installed (Debian: apt-get install openmpi-bin libopenmpi-dev)");
    Path file = copy("mpi", Map.of("\"500000\"", "\"200000\""));
    isResized(file, "begins at sample 0, ranks 2", "goes on at sample \\d+, ranks 1");
  }

  /** A second job takes one of two GPUs, so the first goes on with one, from its checkpoint. */
  private void isResized(Path file, String first, String later) {
    good("submit", file.toString());
    // Fails until the job has started.
    while (!Served.run(Objects.requireNonNull(serving), "logs", "1").out().contains(first)) {
      assertThat(good("show", "1")).doesNotContain("failed");
      Client.pause(100);
    }
    Client.pause(1000);
    good("submit", "--gpus", "1", "--name", "other", "--", "sleep", "3");
    while (!good("jobs").contains("In all: 2 succeeded")) {
      assertThat(good("show", "1")).doesNotContain("failed");
      Client.pause(100);
    }
    assertThat(good("show", "1")).contains("from 2 to 1 workers", "100.0 %");
    assertThat(good("logs", "1", "--attempt", "2")).containsPattern(later);
  }

  private Path copy(String example, Map<String, String> changes) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve(example));
    try (Stream<Path> files = Files.list(EXAMPLES.resolve(example))) {
      for (Path file : files.toList()) {
        String text = Files.readString(file);
        for (Map.Entry<String, String> change : changes.entrySet()) {
          text = text.replace(change.getKey(), change.getValue());
        }
        Files.writeString(folder.resolve(Objects.requireNonNull(file.getFileName())), text);
      }
    }
    Path job = folder.resolve("job.yaml");
    // So long that no restart is too dear for the policy.
    Files.writeString(
        job, Files.readString(job).replace("grace_s: 20\n", "grace_s: 20\nduration_s: 86400\n"));
    return job;
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String good(String... args) {
    return Served.good(Objects.requireNonNull(serving), args);
  }
}
