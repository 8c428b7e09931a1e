package io.ringmaster.control.retention;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Engine.Kept;
import io.ringmaster.control.plane.Refused;
import io.ringmaster.control.store.EndedJob;
import io.ringmaster.control.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what a {@link Retention} does not keep: files first, and then the history of jobs of
 * which no file is left. Only jobs that have ended are looked at.
 */
public final class Cleanup {
  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
  private static final int PAGE = 1000;

  private final Store store;
  private final Supplier<Optional<Engine>> engines;
  private final Retention retention;
  private final DoubleSupplier nowSeconds;

  /**
   * @param engines the engine, while this server leads
   * @param nowSeconds seconds since 1970
   */
  public Cleanup(
      Store store,
      Supplier<Optional<Engine>> engines,
      Retention retention,
      DoubleSupplier nowSeconds) {
    this.store = store;
    this.engines = engines;
    this.retention = retention;
    this.nowSeconds = nowSeconds;
  }

  public record Amount(long jobs, long bytes) {
    private static final Amount NOTHING = new Amount(0, 0);

    Amount plus(long more) {
      return new Amount(jobs + 1, bytes + more);
    }
  }

  /**
   * What was removed, or would be.
   *
   * @param files by kind, without those of which there was nothing
   * @param jobs of which also the history goes
   * @param failures jobs of which something could not be removed
   */
  public record Removed(Map<Kept, Amount> files, long jobs, long failures) {
    boolean isNothing() {
      return files.isEmpty() && jobs == 0 && failures == 0;
    }
  }

  /** A run by itself: what it did is logged. */
  public void runLogged() {
    try {
      Removed removed = run(false);
      if (!removed.isNothing()) {
        LOG.info("removed of jobs that ended long ago: {}", removed);
      }
    } catch (RuntimeException e) {
      LOG.warn("what is kept too long was not removed: {}", e.toString());
    }
  }

  /**
   * Removes what is due, one run at a time.
   *
   * @param dry only tells what would be
   */
  public synchronized Removed run(boolean dry) {
    Engine engine =
        engines
            .get()
            .orElseThrow(() ->
                new Refused(
                    Refused.Kind.NOT_LEADING, "this server stands by: ask the one that leads"));
    double now = nowSeconds.getAsDouble();
    Map<Kept, Amount> files = new EnumMap<>(Kept.class);
    long jobs = 0;
    long failures = 0;
    long above = 0;
    List<EndedJob> page;
    do {
      page = store.endedBefore(now - retention.leastSeconds(), above, PAGE);
      List<Long> forgotten = new ArrayList<>();
      for (EndedJob job : page) {
        above = job.id();
        try {
          if (clean(engine, job, now - job.endedSeconds(), dry, files)) {
            forgotten.add(job.id());
          }
        } catch (IOException e) {
          failures++;
          LOG.warn("files of job {} cannot be removed: {}", job.id(), e.toString());
        }
      }
      jobs += dry ? forgotten.size() : store.forget(forgotten);
    } while (page.size() == PAGE);
    return new Removed(files, jobs, failures);
  }

  /** Returns whether its history may go too. */
  private boolean clean(
      Engine engine, EndedJob job, double ageSeconds, boolean dry, Map<Kept, Amount> files)
      throws IOException {
    Map<Kept, Long> kept = engine.kept(job.id());
    Set<Kept> due = EnumSet.noneOf(Kept.class);
    kept.keySet().stream().filter(kind -> ageSeconds > retention.seconds(kind)).forEach(due::add);
    if (!dry && !due.isEmpty()) {
      engine.discard(job.id(), due);
    }
    for (Kept kind : due) {
      files.put(kind, files.getOrDefault(kind, Amount.NOTHING).plus(kept.getOrDefault(kind, 0L)));
    }
    return ageSeconds > retention.historySeconds() && due.containsAll(kept.keySet());
  }
}
