package io.ringmaster.engine.slurm.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Status;
import io.ringmaster.testing.Seeds;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers are killed at random moments, with kill -9, and others take over from the agents. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class KilledServerTest {
  private static final int ROUNDS = 4;

  @TempDir Path folder;

  @Test
  void everyAttemptRunsAtMostOnceAndEveryToldEndIsTrue() throws Exception {
    try (PlainSlurm slurm = new PlainSlurm(folder);
        AllocationStage last = DoomedServer.stage(folder)) {
      Seeds.each(
          1,
          (random, seed) -> {
            try {
              for (int round = 0; round < ROUNDS; round++) {
                serveAndKill(random, round);
              }
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      last.open();
      Waiting.await(
          "all ends",
          () ->
              last.engine().observe().attempts().stream()
                  .allMatch(status -> status.phase().isEnd()));
      DoomedServer.writeEnds(folder, last);
      assertThat(slurm.commands()).isNotNull();
    }
    assertThat(Files.readAllLines(folder.resolve("runs")))
        .doesNotHaveDuplicates()
        .hasSizeGreaterThanOrEqualTo(ROUNDS);
    check(Files.readAllLines(folder.resolve("told")));
  }

  private static void check(List<String> lines) {
    Map<String, String> told = new HashMap<>();
    for (String line : lines) {
      String job = line.substring(0, line.indexOf(' '));
      String end = line.substring(line.indexOf(' ') + 1);
      assertThat(told.getOrDefault(job, end)).as("told of job " + job).isEqualTo(end);
      told.put(job, end);
      if (end.startsWith("Exited") && end.contains("stopped=false")) {
        assertThat(end).isEqualTo(new Status.Exited(Integer.parseInt(job) % 5, false).toString());
      }
    }
  }

  private void serveAndKill(RandomGenerator random, int round) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DoomedServer.class.getName(),
            folder.toString(),
            Integer.toString(round),
            Long.toString(random.nextLong()));
    builder.redirectError(folder.resolve("errors").toFile());
    Process server = builder.start();
    try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).as("errors in %s", folder.resolve("errors")).isEqualTo("open");
      for (int launches = 2 + random.nextInt(4); launches > 0; launches--) {
        assertThat(out.readLine()).isEqualTo("launched");
      }
      Waiting.pause(random.nextInt(50));
    } finally {
      server.destroyForcibly().onExit().join();
    }
  }
}
