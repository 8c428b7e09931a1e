package io.ringmaster.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Engine.Stream;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.rehearsal.WorkerScript.OnStop;
import io.ringmaster.rehearsal.WorkerScript.PrintSaved;
import io.ringmaster.rehearsal.WorkerScript.Step;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/**
 * What an engine's own test has to bring, and what the contract does with it. It knows neither time
 * nor folders: how to wait and what workers are made of is the engine's own.
 */
public abstract class EngineStage {
  static final double GRACE_SECONDS = 20;

  /** The order of commands; the plane's ascend too, also from engine to engine. */
  protected long order = 1000;

  /** What was last told of each attempt, by either way: it must never go back. */
  final Map<AttemptId, Status> observed = new HashMap<>();

  final Map<AttemptId, Status> told = new ConcurrentHashMap<>();
  private final Map<AttemptId, String> broken = new ConcurrentHashMap<>();

  /** The engine of this test, the same at each call until it is reopened. Empty at first. */
  protected abstract Engine engine() throws IOException;

  /**
   * Ends the server as kill -9 would, lets time pass with nobody there, and opens a new engine at
   * the same place: from now on {@link #engine()}.
   */
  protected abstract Engine reopened(double secondsUnwatched) throws IOException;

  /** A command whose workers do this. */
  protected abstract List<String> program(WorkerScript script, List<String> arguments)
      throws IOException;

  /** Lets time pass until a condition holds; fails if it takes too long for this engine. */
  protected abstract void await(String what, BooleanSupplier condition);

  /** What {@link Engine#observe} is to tell: at least two nodes, of at least two GPUs each. */
  protected abstract List<Node> nodes();

  /**
   * What the engine's kind discovers at the place of this test, whether or not one is open there.
   */
  protected abstract List<Node> discovered() throws IOException;

  @BeforeEach
  void listen() throws IOException {
    engine().listen(this::heard);
  }

  final void heard(Status status) {
    check(told.put(status.attempt(), status), status);
  }

  final void check(@Nullable Status before, Status now) {
    if (before != null
        && (step(now) < step(before) || (step(before) == 2 && !isSame(before, now)))) {
      broken.put(now.attempt(), before + " then " + now);
    }
  }

  static boolean isSame(Status one, Status other) {
    return one.phase().equals(other.phase());
  }

  static int step(Status status) {
    return switch (status.phase()) {
      case Status.Pending _ -> 0;
      case Status.Running _ -> 1;
      case Status.Exited _, Status.Gone _ -> 2;
    };
  }

  final Snapshot observe() {
    try {
      Snapshot snapshot = engine().observe();
      snapshot.attempts().forEach(now -> check(observed.put(now.attempt(), now), now));
      assertThat(broken).as("went back").isEmpty();
      return snapshot;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  final @Nullable Status status(AttemptId attempt) {
    return observe().attempts().stream()
        .filter(status -> status.attempt().equals(attempt))
        .findAny()
        .orElse(null);
  }

  protected final Status.Phase end(AttemptId attempt) {
    await(
        "the end of " + attempt,
        () -> {
          Status status = status(attempt);
          return status != null && status.phase().isEnd();
        });
    return Objects.requireNonNull(status(attempt)).phase();
  }

  /** Waits until workers have come so far in their script. */
  final void awaitDone(AttemptId attempt, double share) {
    await(
        attempt + " reports " + share,
        () -> {
          Status status = status(attempt);
          return status != null && status.doneShare() == share;
        });
  }

  static AttemptId id(long job, int attempt) {
    return new AttemptId(job, attempt);
  }

  final void launch(AttemptId attempt, Step... steps) throws IOException {
    launch(attempt, oneGpu(), steps);
  }

  final void launch(AttemptId attempt, Allocation on, Step... steps) throws IOException {
    engine().launch(++order, launchOf(attempt, on, List.of(), steps));
  }

  final Launch launchOf(AttemptId attempt, Allocation on, List<String> arguments, Step... steps)
      throws IOException {
    Map<String, Object> description = new HashMap<>();
    description.put("command", program(WorkerScript.of(steps), arguments));
    description.put("gpus", on.workers());
    description.put("grace_s", GRACE_SECONDS);
    description.put(
        "env", Map.of("COLOUR", "blue and $HOME", "RANK", "wrong", "MASTER_PORT", "no"));
    JobSpec spec = JobSpecs.of(description);
    return new Launch(attempt, "ada", spec, on, 0.5);
  }

  final Allocation oneGpu() {
    return new Allocation(List.of(new Allocation.Share(nodes().getFirst().name(), 1)));
  }

  /** Two GPUs of the first node, and one of the second. */
  final Allocation threeGpus() {
    return new Allocation(
        List.of(
            new Allocation.Share(nodes().get(0).name(), 2),
            new Allocation.Share(nodes().get(1).name(), 1)));
  }

  final String log(AttemptId attempt, int rank, Stream stream, long from) throws IOException {
    try (InputStream in = engine().log(attempt, rank, stream, from)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  final String output(AttemptId attempt) throws IOException {
    return log(attempt, 0, Stream.STDOUT, 0);
  }

  /** All that a job's attempts have saved, as its next attempt sees it. */
  final String saved(AttemptId next) throws IOException {
    launch(next, new PrintSaved());
    assertThat(end(next)).isEqualTo(new Status.Exited(0, false));
    return output(next);
  }

  static OnStop exitOnStop(int code, Step... steps) {
    return new OnStop(List.of(steps), code);
  }

  final void reopenedAndHeard(double secondsUnwatched) throws IOException {
    reopened(secondsUnwatched).listen(this::heard);
  }

  final void awaitLog(AttemptId attempt, int rank, String text) {
    await(
        "log of " + attempt,
        () -> {
          try {
            return log(attempt, rank, Stream.STDOUT, 0).equals(text);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }
}
