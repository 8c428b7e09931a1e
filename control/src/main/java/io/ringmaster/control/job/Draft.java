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
  boolean forced;

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
    forced = job.forced();
  }

  Job job() {
    return job(before.spec());
  }

  Job job(JobSpec spec) {
    return new Job(
        before.id(),
        before.user(),
        before.key(),
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
        forced);
  }
}
