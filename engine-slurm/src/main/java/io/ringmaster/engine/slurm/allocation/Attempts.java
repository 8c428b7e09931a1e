package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.StatusNews;
import io.ringmaster.engine.slurm.allocation.WholeAttempt.PartOfIt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All attempts that the engine was not told to forget, and who is told of them. Whoever does
 * several things that belong together holds this object's lock meanwhile, and waits for nobody.
 */
final class Attempts {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  private final Places places;
  private final Map<AttemptId, WholeAttempt> all =
      new TreeMap<>(Comparator.comparingLong(AttemptId::job).thenComparingInt(AttemptId::attempt));
  private final StatusNews news = new StatusNews();

  Attempts(Places places) {
    this.places = places;
  }

  synchronized @Nullable WholeAttempt get(AttemptId id) {
    return all.get(id);
  }

  synchronized void add(WholeAttempt attempt) {
    all.put(attempt.id(), attempt);
  }

  synchronized void remove(AttemptId id) {
    all.remove(id);
  }

  synchronized List<Status> statuses() {
    return all.values().stream().map(WholeAttempt::status).toList();
  }

  synchronized List<WholeAttempt> live() {
    return all.values().stream().filter(attempt -> !attempt.phase.isEnd()).toList();
  }

  /** What an agent says of a part. Returns whether the attempt is known here. */
  synchronized boolean told(String node, Status status) {
    WholeAttempt attempt = all.get(status.attempt());
    PartOfIt part = attempt == null ? null : attempt.part(node);
    if (attempt == null || part == null) {
      return false;
    }
    if (attempt.phase.isEnd()) {
      return status.phase().isEnd();
    }
    Status before = attempt.status();
    attempt.take(part, status);
    if (!attempt.status().equals(before)) {
      news.add(attempt.status());
    }
    return true;
  }

  /** Writes down the ends of those whose parts have all ended. */
  synchronized void settle() {
    for (WholeAttempt attempt : live()) {
      if (!attempt.launching && attempt.isOver()) {
        end(attempt, Ends.of(ends(attempt), attempt.doom, attempt.whyStopped()));
      }
    }
  }

  private List<Ends.End> ends(WholeAttempt attempt) {
    List<Ends.End> ends = new ArrayList<>();
    for (PartOfIt part : attempt.parts) {
      Status.Phase phase = Objects.requireNonNull(part.status).phase();
      ends.add(new Ends.End(part.node, phase, failed(attempt.id(), part.node)));
    }
    return ends;
  }

  /** When the first worker of a part failed, by the one clock of the shared folder. */
  private long failed(AttemptId id, String node) {
    Path file = places.node(node).resolve("attempts").resolve(id.text()).resolve("failed");
    try {
      return Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
    } catch (IOException e) {
      return Long.MAX_VALUE - 1;
    }
  }

  /** Writes down how one ended; from then on it is told. If it cannot be written it is not over. */
  synchronized void end(WholeAttempt attempt, Status.Phase end) {
    try {
      attempt.folder.end(new Status(attempt.id(), end, attempt.doneShare));
    } catch (IOException e) {
      LOG.warn("attempt {}: how it ended cannot be written down: {}", attempt.id(), e.toString());
      return;
    }
    attempt.phase = end;
    news.add(attempt.status());
  }

  void listen(Consumer<Status> changes) {
    news.listen(changes);
  }

  void tell() {
    news.tell();
  }
}
