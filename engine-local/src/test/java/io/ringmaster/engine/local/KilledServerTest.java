package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Status;
import io.ringmaster.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers are killed at random moments, with kill -9, and others take over. */
class KilledServerTest {
  private static final int ROUNDS = 6;

  @TempDir Path folder;

  @Test
  void everyAttemptRunsAtMostOnceAndEveryToldEndIsTrue() {
    Seeds.each(
        1,
        (random, seed) -> {
          try {
            check(random, Files.createDirectory(folder.resolve("seed" + seed)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void check(RandomGenerator random, Path folder) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      serveAndKill(random, folder, round);
    }
    tellTheRest(folder);
    List<String> runs = Files.readAllLines(folder.resolve("runs"));
    List<String> started = new ArrayList<>();
    Map<String, String> ended = new HashMap<>();
    for (String line : runs) {
      String[] words = line.split(" ", 3);
      if (words[0].equals("start")) {
        started.add(words[1]);
        assertThat(words[2])
            .as("an argument, whatever the server's locale")
            .isEqualTo(DoomedServer.WORD);
      } else {
        ended.put(words[1], words[2]);
      }
    }
    assertThat(started).as("started").doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(ROUNDS);

    Map<String, String> told = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("told"))) {
      String job = line.substring(0, line.indexOf(' '));
      String end = line.substring(line.indexOf(' ') + 1);
      assertThat(told.getOrDefault(job, end)).as("told of job " + job).isEqualTo(end);
      told.put(job, end);
    }
    told.forEach((job, end) -> checkEnd(job, end, started.contains(job), ended.get(job)));
    assertThat(told.keySet()).as("told").containsAll(started);
    assertThat(Files.readString(folder.resolve("runs.environment")))
        .contains("RINGMASTER_ATTEMPT=1")
        .doesNotContain("hunter2");
  }

  private static void checkEnd(String job, String told, boolean started, @Nullable String code) {
    if (told.startsWith("Gone")) {
      assertThat(started).as("job %s was told as %s", job, told).isFalse();
    } else if (code == null) {
      // A stop came before it was listening.
      assertThat(told).as("job " + job).isEqualTo("Exited[code=143, stopped=true, why=]");
    } else {
      assertThat(told).as("job " + job).startsWith("Exited[code=" + code + ",");
    }
  }

  private static void serveAndKill(RandomGenerator random, Path folder, int round)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            DoomedServer.class.getName(),
            folder.toString(),
            Integer.toString(round),
            Long.toString(random.nextLong()));
    builder.redirectError(folder.resolve("errors").toFile());
    builder.environment().put("RINGMASTER_TOKEN", "hunter2");
    builder.environment().put("PGPASSWORD", "hunter2");
    builder.environment().put("LC_ALL", "C");
    Process server = builder.start();
    try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
      for (int ends = 1 + random.nextInt(3); ends > 0; ends--) {
        assertThat(out.readLine()).as("errors in %s", folder.resolve("errors")).isEqualTo("ended");
      }
      Watch.pause(random.nextInt(50));
    } finally {
      assertThat(server.isAlive()).as("errors in %s", folder.resolve("errors")).isTrue();
      server.destroyForcibly().onExit().join();
    }
  }

  /** A last server, that only watches. */
  private static void tellTheRest(Path folder) throws IOException {
    try (LocalEngine engine =
        new LocalEngine(
            folder.resolve("data"), DoomedServer.NODES, LocalSettings.USUAL, 25_000, 25_999)) {
      Snapshot last = engine.observe();
      while (!last.attempts().stream().allMatch(status -> status.phase().isEnd())) {
        Watch.pause(20);
        last = engine.observe();
      }
      for (Status status : last.attempts()) {
        DoomedServer.append(folder, status);
      }
    }
  }
}
