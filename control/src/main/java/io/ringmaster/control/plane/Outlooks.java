package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Outlines;
import io.ringmaster.control.store.Store;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest {@link Outlook}, which answers for all jobs, and makes another when somebody
 * asks and the queue has changed. However many ask, one is made at a time, from what is stored;
 * where that takes long, only now and then, so that no more than a quarter of a processor is spent
 * on it. Nobody has to wait for it: the last one stays until there is a newer, and says how old it
 * is.
 */
public final class Outlooks {
  /** Time goes on even where nothing happens. */
  private static final double MOST_AGE_SECONDS = 10;

  /** What is made more quickly than this is made anew whenever the queue has changed. */
  private static final double QUICK_SECONDS = 0.1;

  /** Of the time that it took, between one outlook and the next. */
  private static final double PAUSES = 3;

  private final PlaneConfig config;
  private final Store store;
  private final DoubleSupplier clock;
  private final Executor executor;
  private final Outlines outlines = new Outlines();
  private final Set<Long> learned = new HashSet<>();
  private final Lengths lengths = new Lengths(List.of());
  private volatile @Nullable Made latest;
  private @Nullable CompletableFuture<Outlook> underway;

  /** What an outlook rests on, as far as others change it at once. */
  private record Version(long newestEntry, List<NodeRow> nodes, Map<String, String> settings) {}

  /** When it was made and how long that took, by the machine's own clock. */
  private record Made(Outlook outlook, Version version, long endedNanos, double tookSeconds) {
    /** Until another may be made. */
    double pauseSeconds() {
      double sinceSeconds = (System.nanoTime() - endedNanos) * 1e-9;
      return tookSeconds < QUICK_SECONDS ? 0 : Math.max(0, PAUSES * tookSeconds - sinceSeconds);
    }
  }

  /**
   * @param clock seconds since 1970
   * @param executor simulates, one after the other: not on a thread that others need
   */
  public Outlooks(PlaneConfig config, Store store, DoubleSupplier clock, Executor executor) {
    this.config = config;
    this.store = store;
    this.clock = clock;
    this.executor = executor;
  }

  /** The newest there is; empty: none was made yet. Waits for nothing. */
  public Optional<Outlook> latest() {
    Made last = latest;
    return last == null ? Optional.empty() : Optional.of(last.outlook());
  }

  /**
   * One of the queue as it stands: the newest, if it holds or if it is too early for another; else
   * the next, when it is made.
   *
   * @param serves whether one is good enough for whoever asks
   */
  public CompletableFuture<Outlook> present(Predicate<Outlook> serves) {
    Made last = latest;
    return last != null && serves.test(last.outlook()) && holds(last)
        ? CompletableFuture.completedFuture(last.outlook())
        : next();
  }

  /** What another policy would do with the queue as it stands. */
  CompletableFuture<Preview> preview(String policy, Map<String, String> settings) {
    return CompletableFuture.supplyAsync(
        () -> {
          Loaded loaded = store.loadOutlines(outlines);
          learn(loaded.finished());
          return Preview.of(config, loaded, lengths, policy, settings, clock.getAsDouble());
        },
        executor);
  }

  private boolean holds(Made made) {
    return made.pauseSeconds() > 0
        || (clock.getAsDouble() - made.outlook().madeSeconds() <= MOST_AGE_SECONDS
            && made.version().equals(version()));
  }

  /** The one that is made now, or will be. */
  private CompletableFuture<Outlook> next() {
    CompletableFuture<Outlook> next;
    synchronized (this) {
      if (underway != null) {
        return underway;
      }
      next = new CompletableFuture<>();
      underway = next;
    }
    try {
      executor.execute(() -> make(next));
    } catch (RuntimeException e) {
      end(next, null, e);
    }
    return next;
  }

  private void make(CompletableFuture<Outlook> next) {
    Made last = latest;
    try {
      if (last != null) {
        TimeUnit.NANOSECONDS.sleep((long) (last.pauseSeconds() * 1e9));
      }
      long began = System.nanoTime();
      Version version = version();
      Loaded loaded = store.loadOutlines(outlines);
      learn(loaded.finished());
      Outlook outlook = new Outlook(config, loaded, lengths, clock.getAsDouble());
      long ended = System.nanoTime();
      end(next, new Made(outlook, version, ended, (ended - began) * 1e-9), null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(next, null, e);
    } catch (Throwable e) {
      end(next, null, e);
      throw e;
    }
  }

  private void end(
      CompletableFuture<Outlook> next, @Nullable Made made, @Nullable Throwable failure) {
    synchronized (this) {
      underway = null;
      if (made != null) {
        latest = made;
      }
    }
    if (made != null) {
      next.complete(made.outlook());
    } else {
      next.completeExceptionally(failure == null ? new IllegalStateException() : failure);
    }
  }

  private Version version() {
    return new Version(store.newestEntry(), store.nodes(), store.settings());
  }

  /** As the plane does: from each job that ended, once. */
  private synchronized void learn(List<Job> finished) {
    Set<Long> present = new HashSet<>();
    for (Job job : finished) {
      present.add(job.id());
      if (learned.add(job.id())) {
        lengths.finished(job);
      }
    }
    learned.retainAll(present);
  }
}
