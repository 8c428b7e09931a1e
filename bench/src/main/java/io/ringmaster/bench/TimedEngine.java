package io.ringmaster.bench;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An engine without processes: every attempt runs for a random time of a few seconds. */
final class TimedEngine implements Engine {
  private final List<Node> nodes;
  private final double meanSeconds;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<AttemptId, Status> attempts = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private volatile Consumer<Status> changes = _ -> {};

  TimedEngine(List<Node> nodes, double meanSeconds) {
    this.nodes = nodes;
    this.meanSeconds = meanSeconds;
  }

  @Override
  public void listen(Consumer<Status> listener) {
    changes = listener;
  }

  @Override
  public Snapshot observe() {
    return new Snapshot(nodes, List.copyOf(attempts.values()));
  }

  @Override
  public void launch(long order, Launch launch) {
    AttemptId attempt = launch.attempt();
    Status running = new Status(attempt, new Status.Running());
    if (attempts.putIfAbsent(attempt, running) == null) {
      changes.accept(running);
      double seconds = meanSeconds * (0.5 + random.nextDouble());
      Object _ =
          timer.schedule(() -> end(attempt, false), (long) (seconds * 1e6), TimeUnit.MICROSECONDS);
    }
  }

  private void end(AttemptId attempt, boolean stopped) {
    Status ended = new Status(attempt, new Status.Exited(stopped ? 143 : 0, stopped));
    Status before = attempts.computeIfPresent(attempt, (_, s) -> s.phase().isEnd() ? s : ended);
    if (before != null && before.equals(ended)) {
      changes.accept(ended);
    }
  }

  @Override
  public void stop(AttemptId attempt, double graceSeconds) {
    attempts.putIfAbsent(attempt, new Status(attempt, new Status.Gone("was never started")));
    end(attempt, true);
  }

  @Override
  public void forget(long order, AttemptId attempt) {
    attempts.remove(attempt);
  }

  @Override
  public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws IOException {
    return InputStream.nullInputStream();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
