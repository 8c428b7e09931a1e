package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Explains from what is stored, with the very classes that decide, and without being in their way.
 *
 * <p>One {@link Outlook} answers for all jobs, so however many ask, at most one is made at a time,
 * and all who ask meanwhile get it. It serves until the queue has changed; where it takes long to
 * make, a little longer, so that no more than a quarter of a processor is spent on this.
 */
public final class StoreExplainer implements Explainer {
  /** Time goes on even where nothing happens. */
  private static final double MOST_AGE_SECONDS = 10;

  /** What is made more quickly than this is made anew whenever the queue has changed. */
  private static final double QUICK_SECONDS = 0.1;

  /** Of the time that it took, between one outlook and the next. */
  private static final double PAUSES = 3;

  /** A job may change while an outlook is made. */
  private static final int MOST_TRIES = 3;

  private final PlaneConfig config;
  private final Store store;
  private final DoubleSupplier clock;
  private final Executor executor;
  private final double mostSeconds;
  private @Nullable Learned learned;
  private @Nullable Made latest;
  private @Nullable CompletableFuture<Made> underway;

  private record Learned(List<Job> finished, Lengths lengths) {}

  /** What an outlook rests on, as far as others change it at once. */
  private record Version(long newestEntry, List<NodeRow> nodes, Map<String, String> settings) {}

  /** When it was made and how long that took, by the machine's own clock. */
  private record Made(Outlook outlook, Version version, long endedNanos, double tookSeconds) {
    double sinceSeconds() {
      return (System.nanoTime() - endedNanos) * 1e-9;
    }

    /** Until another may be made. */
    double pauseSeconds() {
      return tookSeconds < QUICK_SECONDS ? 0 : Math.max(0, PAUSES * tookSeconds - sinceSeconds());
    }
  }

  /**
   * Explains.
   *
   * @param clock seconds since 1970
   * @param executor simulates: not on a thread that others need
   * @param mostSeconds how long one waits for that
   */
  public StoreExplainer(
      PlaneConfig config,
      Store store,
      DoubleSupplier clock,
      Executor executor,
      double mostSeconds) {
    this.config = config;
    this.store = store;
    this.clock = clock;
    this.executor = executor;
    this.mostSeconds = mostSeconds;
  }

  /** Simulates on the thread of whoever asks. */
  public StoreExplainer(PlaneConfig config, Store store, DoubleSupplier clock) {
    this(config, store, clock, Runnable::run, Double.MAX_VALUE);
  }

  @Override
  public Optional<Explanation> explain(long id) {
    long until = System.nanoTime() + (long) Math.min(1e18, mostSeconds * 1e9);
    Optional<Job> known = store.job(id).map(Job::withoutProgram);
    for (int i = 0; i < MOST_TRIES && known.isPresent(); i++) {
      Job job = known.get();
      if (job.state().isEnd()) {
        return Optional.of(over(job));
      }
      Outlook outlook = outlook(job, until);
      if (outlook == null) {
        break;
      }
      if (outlook.stillHolds(job) || i == MOST_TRIES - 1) {
        Optional<Explanation> explanation = outlook.explain(id);
        if (explanation.isPresent()) {
          return explanation;
        }
      }
      known = store.job(id).map(Job::withoutProgram);
    }
    return known.map(job ->
        plain(
            job,
            List.of(job.reason()),
            "no prediction: simulating the present queue takes too long"));
  }

  private static Explanation over(Job job) {
    return plain(
        job, List.of("it is over: %s, %s".formatted(job.state().text(), job.reason())), "");
  }

  private static Explanation plain(Job job, List<String> why, String basis) {
    return new Explanation(job, why, 0, Double.NaN, Double.NaN, basis);
  }

  @Override
  public Expected expected() {
    ExpectedCost starts = new ExpectedCost(config.cluster().startSeconds());
    ExpectedCost restarts = new ExpectedCost(config.cluster().restartSeconds());
    for (Measured measured : store.measured()) {
      switch (measured.kind()) {
        case START -> starts.add(measured);
        case RESTART -> restarts.add(measured);
        case SPEED -> {}
      }
    }
    return new Expected(starts.expectedSeconds(), restarts.expectedSeconds());
  }

  /** One that holds for a job; null: it took too long. */
  private @Nullable Outlook outlook(Job job, long untilNanos) {
    try {
      return serving(job).get(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS).outlook();
    } catch (TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  private CompletableFuture<Made> serving(Job job) {
    CompletableFuture<Made> next;
    Made last;
    synchronized (this) {
      last = latest;
    }
    if (last != null && serves(last, job)) {
      return CompletableFuture.completedFuture(last);
    }
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

  private boolean serves(Made made, Job job) {
    return made.outlook().stillHolds(job)
        && (made.pauseSeconds() > 0
            || (clock.getAsDouble() - made.outlook().madeSeconds() <= MOST_AGE_SECONDS
                && made.version().equals(version())));
  }

  private void make(CompletableFuture<Made> next) {
    Made last;
    synchronized (this) {
      last = latest;
    }
    try {
      if (last != null) {
        TimeUnit.NANOSECONDS.sleep((long) (last.pauseSeconds() * 1e9));
      }
      long began = System.nanoTime();
      Version version = version();
      Loaded loaded = store.loadOutlines();
      Outlook outlook =
          new Outlook(config, loaded, lengths(loaded.finished()), clock.getAsDouble());
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

  private void end(CompletableFuture<Made> next, @Nullable Made made, @Nullable Throwable failure) {
    synchronized (this) {
      underway = null;
      if (made != null) {
        latest = made;
      }
    }
    if (made != null) {
      next.complete(made);
    } else {
      next.completeExceptionally(failure == null ? new IllegalStateException() : failure);
    }
  }

  private Version version() {
    return new Version(store.newestEntry(), store.nodes(), store.settings());
  }

  /** Only when more jobs have ended there is something to learn. */
  private synchronized Lengths lengths(List<Job> finished) {
    Learned known = learned;
    if (known == null || !known.finished.equals(finished)) {
      known = new Learned(finished, new Lengths(finished));
      learned = known;
    }
    return known.lengths;
  }
}
