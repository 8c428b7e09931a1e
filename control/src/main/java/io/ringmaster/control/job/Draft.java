package io.ringmaster.control.job;

import org.jspecify.annotations.Nullable;

/** A job in the middle of a transition. */
final class Draft {
  private final Job before;
  JobState state;
  int attempt;
  @Nullable Allocation held;
  @Nullable Allocation target;
  int failures;
  int losses;
  int restarts;
  double eligibleSeconds;
  double startedSeconds;
  double attemptSeconds;
  double endedSeconds;
  double ranSeconds;
  double attainedGpuSeconds;
  double doneShare;
  double learningRateScale;
  @Nullable Integer exitCode;
  String reason;
  Meter meter;
  Backoff backoff;
  Lost lost;
  boolean saved;
  boolean forced;

  /** Whether the present attempt ever said how much is done. */
  private boolean hasSaid;

  Draft(Job job) {
    before = job;
    state = job.state();
    attempt = job.attempt();
    held = job.held();
    target = job.target();
    failures = job.failures();
    losses = job.losses();
    restarts = job.restarts();
    eligibleSeconds = job.eligibleSeconds();
    startedSeconds = job.startedSeconds();
    attemptSeconds = job.attemptSeconds();
    endedSeconds = job.endedSeconds();
    ranSeconds = job.ranSeconds();
    attainedGpuSeconds = job.attainedGpuSeconds();
    doneShare = job.doneShare();
    learningRateScale = job.learningRateScale();
    exitCode = job.exitCode();
    reason = job.reason();
    meter = job.meter();
    backoff = job.backoff();
    lost = job.lost();
    saved = job.saved();
    hasSaid = !Double.isNaN(meter.firstSeconds());
    forced = job.forced();
  }

  /**
   * Its present attempt says how much is done. What it says first is where it begins: if that is
   * less than was done before, the rest of that is lost. From there on it only goes forward.
   */
  void says(double share) {
    if (!hasSaid && share < doneShare) {
      double part = (doneShare - share) / doneShare;
      lost =
          lost.plus(
              part * (ranSeconds - lost.seconds()),
              part * (attainedGpuSeconds - lost.gpuSeconds()));
    }
    doneShare = hasSaid ? Math.max(doneShare, share) : share;
    hasSaid = true;
  }

  /** Its attempt is over, and ran until now. */
  void settle(double nowSeconds) {
    if (!Double.isNaN(attemptSeconds) && held != null) {
      double ran = Math.max(0, nowSeconds - attemptSeconds);
      ranSeconds += ran;
      attainedGpuSeconds += ran * held.workers();
    }
    attemptSeconds = Double.NaN;
    held = null;
  }

  /**
   * It will be started again. What an attempt did that neither said how far it is nor left a
   * checkpoint is lost; of one that did, the next one tells. A job that cannot resume has lost all.
   */
  void startsAgain() {
    if (!before.spec().resumable()) {
      doneShare = 0;
      lost = new Lost(ranSeconds, attainedGpuSeconds);
    } else if (!hasSaid && !saved) {
      lost =
          lost.plus(
              ranSeconds - before.ranSeconds(), attainedGpuSeconds - before.attainedGpuSeconds());
    }
    double seconds = lost.seconds() - before.lost().seconds();
    if (seconds >= 1) {
      reason += "; %.0f s of work are lost".formatted(seconds);
    }
  }

  Job job() {
    return job(before.spec());
  }

  Job job(JobSpec spec) {
    return new Job(
        before.id(),
        before.user(),
        before.key(),
        before.arrival(),
        spec,
        state,
        attempt,
        held,
        target,
        failures,
        losses,
        restarts,
        before.submittedSeconds(),
        eligibleSeconds,
        startedSeconds,
        attemptSeconds,
        endedSeconds,
        ranSeconds,
        attainedGpuSeconds,
        doneShare,
        learningRateScale,
        exitCode,
        reason,
        meter,
        backoff,
        lost,
        saved,
        forced);
  }
}
