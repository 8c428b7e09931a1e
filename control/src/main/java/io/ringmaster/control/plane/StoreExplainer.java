package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Explains from what is stored, with the very classes that decide, and without being in their way.
 * Who asks waits for a moment for an {@link Outlook} on the queue as it stands; if that takes
 * longer, the last one answers, and the answer says how old it is.
 */
public final class StoreExplainer implements Explainer {
  /** A job may change while an outlook is made. */
  private static final int MOST_TRIES = 3;

  private final PlaneConfig config;
  private final Store store;
  private final DoubleSupplier clock;
  private final Outlooks outlooks;
  private final double mostSeconds;

  /**
   * @param clock seconds since 1970
   * @param mostSeconds how long one waits for an outlook
   */
  public StoreExplainer(
      PlaneConfig config,
      Store store,
      DoubleSupplier clock,
      Outlooks outlooks,
      double mostSeconds) {
    this.config = config;
    this.store = store;
    this.clock = clock;
    this.outlooks = outlooks;
    this.mostSeconds = mostSeconds;
  }

  /** Simulates on the thread of whoever asks. */
  public StoreExplainer(PlaneConfig config, Store store, DoubleSupplier clock) {
    this(config, store, clock, new Outlooks(config, store, clock, Runnable::run), Double.MAX_VALUE);
  }

  @Override
  public Optional<Explanation> explain(long id) {
    long until = untilNanos();
    Optional<Job> known = store.job(id).map(Job::withoutProgram);
    for (int i = 0; i < MOST_TRIES && known.isPresent(); i++) {
      Job job = known.get();
      if (job.state().isEnd()) {
        return Optional.of(over(job));
      }
      Outlook outlook = present(made -> made.stillHolds(job), until);
      if (outlook == null) {
        break;
      }
      if (outlook.stillHolds(job)) {
        return outlook.explain(job, clock.getAsDouble());
      }
      known = store.job(id).map(Job::withoutProgram);
    }
    return known.map(this::fromTheLast);
  }

  private long untilNanos() {
    return System.nanoTime() + (long) Math.min(1e18, mostSeconds * 1e9);
  }

  /** One of the queue as it stands; null: that takes too long. */
  private @Nullable Outlook present(Predicate<Outlook> serves, long untilNanos) {
    try {
      return outlooks.present(serves).get(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  private Explanation fromTheLast(Job job) {
    if (job.state().isEnd()) {
      return over(job);
    }
    double now = clock.getAsDouble();
    return outlooks
        .latest()
        .flatMap(last -> last.explain(job, now))
        .orElseGet(() ->
            plain(
                job,
                job.reason(),
                "no prediction yet: the queue is being simulated, and was last before this job was"
                    + " there; ask again in a few seconds"));
  }

  private static Explanation over(Job job) {
    return plain(job, "it is over: %s, %s".formatted(job.state().text(), job.reason()), "");
  }

  private static Explanation plain(Job job, String why, String basis) {
    return new Explanation(job, List.of(why), 0, Double.NaN, Double.NaN, Double.NaN, basis);
  }

  @Override
  public Optional<Outlook> outlook() {
    Outlook present = present(_ -> true, untilNanos());
    return present == null ? outlooks.latest() : Optional.of(present);
  }

  @Override
  public CompletableFuture<Preview> preview(String policy, Map<String, String> settings) {
    return outlooks.preview(policy, settings);
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
}
