package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A local engine with two nodes, and what its tests do with it. */
abstract class LocalEngineStage {
  static final int FIRST_PORT = 24_100;
  static final int LAST_PORT = 24_199;
  static final AttemptId ONE = new AttemptId(1, 1);
  static final AttemptId TWO = new AttemptId(2, 1);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  LocalEngine engine;

  LocalSettings settings() {
    return settings(Map.of());
  }

  static LocalSettings settings(Map<String, String> given) {
    return LocalSettings.of(LocalEngine.KIND.settings(given));
  }

  @BeforeEach
  void open() throws IOException {
    engine = opened(settings());
  }

  final LocalEngine opened(LocalSettings settings) throws IOException {
    return new LocalEngine(
        folder.resolve("data"),
        List.of(LocalNode.declared("left", 2), LocalNode.declared("right", 1)),
        settings,
        FIRST_PORT,
        LAST_PORT);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  final Path attemptFolder(AttemptId id) {
    return folder.resolve("data/attempts").resolve(id.text());
  }

  static Launch launch(AttemptId id, String on, String... command) {
    return launch(id, on, Map.of(), command);
  }

  static Launch launch(AttemptId id, String on, Map<String, Object> more, String... command) {
    return launch(id, "ada", on, more, command);
  }

  static Launch launch(
      AttemptId id, String user, String on, Map<String, Object> more, String... command) {
    Allocation allocation = Allocation.of(on);
    Map<String, Object> description = new HashMap<>(more);
    description.put("command", List.of(command));
    description.put("gpus", allocation.workers());
    description.put("grace_s", 1);
    return new Launch(id, user, JobSpecs.of(description), allocation, 1);
  }

  final Status.Phase end(AttemptId id) {
    for (int tries = 0; tries < 6000; tries++) {
      Status status = status(id);
      if (status.phase().isEnd()) {
        return status.phase();
      }
      Watch.pause(5);
    }
    throw new AssertionError(id + " does not end");
  }

  final Status status(AttemptId id) {
    return engine.observe().attempts().stream()
        .filter(status -> status.attempt().equals(id))
        .findAny()
        .orElseThrow();
  }

  final String output(AttemptId id, Engine.Stream stream) throws IOException {
    try (var in = engine.log(id, 0, stream, 0)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Numbers that the worker printed, once there are so many. */
  final List<Long> printed(AttemptId id, int count) throws IOException {
    for (int tries = 0; tries < 6000; tries++) {
      List<Long> numbers = output(id, Engine.Stream.STDOUT).lines().map(Long::parseLong).toList();
      if (numbers.size() == count) {
        return numbers;
      }
      Watch.pause(5);
    }
    throw new AssertionError(id + " does not print");
  }

  static boolean isAlive(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits until something is so. */
  static void await(String what, Callable<Boolean> condition) throws Exception {
    for (int tries = 0; tries < 6000; tries++) {
      if (condition.call()) {
        return;
      }
      Watch.pause(5);
    }
    throw new AssertionError("still waiting for " + what);
  }
}
