package io.ringmaster.control.api;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An engine in memory. A job whose program is {@code finish} ends at once; others run until they
 * are stopped. What a job prints is its second word.
 */
final class PuppetEngine implements Engine {
  /** What every attempt says of its progress: four lines of use, and three of none. */
  static final String PROGRESS =
      """
      {"at_s": 10, "done": 0, "iteration": 0, "samples": 0, "loss": 2.5, "workers": 2}
      {"at_s": 11, "done": 0.25, "iteration": 100, "loss": "NaN"}
      not JSON at all
      {"at_s": 12, "done": 7}
      {"done": 0.5, "loss": 1.5}
      {"loss": 1}
      {"at_s": 14, "done": 0.75, "iteration": 300.0, "samples": 9600, "loss": 1.25}
      {"at_s": 15, "do\
      """;

  private final Map<AttemptId, Status> attempts = new LinkedHashMap<>();
  private final Map<AttemptId, byte[]> printed = new LinkedHashMap<>();
  private final List<Node> nodes;
  private Consumer<Status> changes = status -> {};

  PuppetEngine(List<Node> nodes) {
    this.nodes = nodes;
  }

  @Override
  public synchronized void listen(Consumer<Status> listener) {
    changes = listener;
  }

  @Override
  public synchronized Snapshot observe() {
    return new Snapshot(nodes, new ArrayList<>(attempts.values()));
  }

  @Override
  public synchronized void launch(long order, Launch launch) {
    if (!attempts.containsKey(launch.attempt())) {
      List<String> command = launch.spec().command();
      printed.put(
          launch.attempt(),
          command.size() < 2 ? new byte[0] : command.get(1).getBytes(StandardCharsets.ISO_8859_1));
      tell(new Status(launch.attempt(), new Status.Running()));
      if (command.getFirst().equals("finish")) {
        tell(new Status(launch.attempt(), new Status.Exited(0, false)));
      }
    }
  }

  private void tell(Status status) {
    attempts.put(status.attempt(), status);
    changes.accept(status);
  }

  @Override
  public synchronized void stop(AttemptId attempt, double graceSeconds) {
    Status known = attempts.get(attempt);
    if (known == null || !known.phase().isEnd()) {
      tell(new Status(attempt, new Status.Exited(143, true)));
    }
  }

  @Override
  public synchronized void forget(long order, AttemptId attempt) {
    attempts.remove(attempt);
  }

  @Override
  public synchronized InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws NoSuchFileException {
    byte[] bytes = printed.get(attempt);
    if (bytes == null || rank > 0) {
      throw new NoSuchFileException(attempt.text());
    }
    int from = (int) Math.min(bytes.length, fromByte);
    if (stream == Stream.PROGRESS) {
      return new ByteArrayInputStream(PROGRESS.getBytes(StandardCharsets.UTF_8));
    }
    return stream == Stream.STDERR
        ? InputStream.nullInputStream()
        : new ByteArrayInputStream(bytes, from, bytes.length - from);
  }

  @Override
  public void close() {}
}
