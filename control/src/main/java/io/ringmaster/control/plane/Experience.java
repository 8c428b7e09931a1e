package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Measured.Kind;
import io.ringmaster.model.Cluster;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * What the jobs so far have taught: what restarts and starts cost, how fast models train, how long
 * jobs take. Made from the store, and told of every change of a job after that.
 */
final class Experience {
  /** A cost that changes by less is as it was, to a policy. */
  private static final double LEAST_CHANGE = 0.2;

  private static final double LEAST_CHANGE_SECONDS = 0.5;

  private final ExpectedCost restarts;
  private final ExpectedCost starts;
  private final Speeds speeds;
  private final Lengths lengths;
  private final Map<Kind, Long> serials = new EnumMap<>(Kind.class);

  Experience(PlaneConfig config, Loaded loaded) {
    this(config, loaded, new Lengths(loaded.finished()));
  }

  /**
   * @param lengths that has learned from the loaded jobs already
   */
  Experience(PlaneConfig config, Loaded loaded, Lengths lengths) {
    Cluster configured = config.cluster();
    this.restarts = new ExpectedCost(configured.restartSeconds());
    this.starts = new ExpectedCost(configured.startSeconds());
    this.lengths = lengths;
    this.speeds = new Speeds(configured, config.models());
    loaded.measured().forEach(this::learn);
    speeds.keep(loaded.open());
  }

  private void learn(Measured measured) {
    serials.put(measured.kind(), measured.serial());
    switch (measured.kind()) {
      case RESTART -> restarts.add(measured);
      case START -> starts.add(measured);
      case SPEED -> speeds.add(measured);
    }
  }

  Speeds speeds() {
    return speeds;
  }

  Lengths lengths() {
    return lengths;
  }

  /** A cluster with starts and restarts that cost what they are expected to. */
  Cluster priced(Cluster cluster) {
    return cluster.costing(starts.expectedSeconds(), restarts.expectedSeconds());
  }

  /** Whether what a policy was shown is too far off by now. */
  boolean isNews(PolicyHost host) {
    Cluster known = host.cluster();
    return isFar(known.restartSeconds(), restarts.expectedSeconds())
        || isFar(known.startSeconds(), starts.expectedSeconds())
        || host.models() != speeds.models();
  }

  private static boolean isFar(double before, double after) {
    return Math.abs(after - before) > Math.max(LEAST_CHANGE_SECONDS, LEAST_CHANGE * before);
  }

  /** A job changed: what it teaches is learned, and kept. */
  void changed(Job before, Job after, Outbox outbox, double nowSeconds) {
    if (after.state() == JobState.SUCCEEDED) {
      lengths.finished(after);
    }
    Allocation held = before.held();
    if (held == null) {
      return;
    }
    double start = after.meter().startSeconds();
    if (Double.isNaN(before.meter().startSeconds())
        && !Double.isNaN(start)
        && wentOn(before, after)) {
      double stop = before.meter().stopSeconds();
      keep(
          Double.isNaN(stop) ? Kind.START : Kind.RESTART,
          before,
          held,
          Double.isNaN(stop) ? start : stop + start,
          1,
          outbox,
          nowSeconds);
    }
    if (after.held() == null && !Double.isNaN(before.rate())) {
      double share = before.doneShare() - before.meter().firstShare();
      keep(Kind.SPEED, before, held, 1 / before.rate(), share, outbox, nowSeconds);
    }
    if (after.state().isEnd()) {
      speeds.forget(after.id());
    }
  }

  /** Otherwise it was stopped before anybody could tell how long it would have taken to start. */
  private static boolean wentOn(Job before, Job after) {
    return !Double.isNaN(after.meter().firstSeconds())
        || (before.doneShare() == 0 && !Double.isNaN(before.attemptSeconds()));
  }

  private void keep(
      Kind kind,
      Job job,
      Allocation held,
      double seconds,
      double weight,
      Outbox outbox,
      double nowSeconds) {
    long serial = Objects.requireNonNullElse(serials.get(kind), 0L) + 1;
    Measured measured = Measured.of(kind, serial, nowSeconds, job, held, seconds, weight);
    outbox.put(measured);
    learn(measured);
  }
}
