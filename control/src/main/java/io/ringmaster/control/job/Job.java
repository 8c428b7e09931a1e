package io.ringmaster.control.job;

import org.jspecify.annotations.Nullable;

/**
 * A job as the store remembers it: one row. Changed only by {@link Lifecycle}. Times are seconds
 * since 1970; NaN: not yet.
 *
 * @param id given at submission, ascending, never used again
 * @param key what the submitter called this submission, so that a repeated one is known; or empty
 * @param arrival what the place calls it that it was given to by people themselves; empty: it was
 *     submitted to the plane
 * @param attempt number of the present or last attempt; 0: none yet
 * @param held GPUs of the present attempt, from the moment a launch is decided until the engine
 *     says that it has ended; null: none
 * @param target where the policy wants it; null: it waits, or it ended
 * @param failures how often it ended by itself with a code other than 0
 * @param losses how often the engine lost it
 * @param restarts how often it was stopped to go on elsewhere or later
 * @param submittedSeconds when it was accepted
 * @param eligibleSeconds when it last joined the queue
 * @param startedSeconds when it first ran
 * @param attemptSeconds when the present attempt began to run
 * @param endedSeconds when it reached its end
 * @param ranSeconds how long earlier attempts ran
 * @param attainedGpuSeconds GPU-seconds of earlier attempts
 * @param doneShare how much of its work is known to be done: 0 to 1
 * @param learningRateScale what it was last told to multiply its learning rate by; 1: nothing
 * @param exitCode of its last attempt that exited; null: none has
 * @param reason why it is in this state, in words
 * @param meter what is measured of it
 * @param backoff how long it waits after an attempt that came to nothing
 * @param lost what it has to do again
 * @param saved whether it is known to have left a checkpoint
 * @param forced whether its attempt is to be killed at once, and not asked to stop first
 */
public record Job(
    long id,
    String user,
    String key,
    String arrival,
    JobSpec spec,
    JobState state,
    int attempt,
    @Nullable Allocation held,
    @Nullable Allocation target,
    int failures,
    int losses,
    int restarts,
    double submittedSeconds,
    double eligibleSeconds,
    double startedSeconds,
    double attemptSeconds,
    double endedSeconds,
    double ranSeconds,
    double attainedGpuSeconds,
    double doneShare,
    double learningRateScale,
    @Nullable Integer exitCode,
    String reason,
    Meter meter,
    Backoff backoff,
    Lost lost,
    boolean saved,
    boolean forced) {

  public AttemptId attemptId() {
    return new AttemptId(id, attempt);
  }

  /** The share of it that its present attempt does a second; NaN if that cannot be told. */
  public double rate() {
    return held == null ? Double.NaN : meter.rate(doneShare);
  }

  /** The same as a server finds it that did not look for a while. */
  public Job interrupted() {
    Draft draft = new Draft(this);
    draft.meter = meter.interrupted();
    return draft.job();
  }

  /**
   * The same after the clock was set: what is measured from now on is measured from where it would
   * have begun by the clock as it is now. When it was submitted and first ran stay as people saw
   * them.
   */
  public Job clockSet(double forwardSeconds) {
    Draft draft = new Draft(this);
    draft.eligibleSeconds = eligibleSeconds + forwardSeconds;
    draft.attemptSeconds = attemptSeconds + forwardSeconds;
    draft.meter = meter.clockSet(forwardSeconds);
    draft.backoff = backoff.clockSet(forwardSeconds);
    return draft.job();
  }

  /** The same without what it runs, for those who look at how long it took. */
  public Job withoutProgram() {
    return new Draft(this).job(spec.withoutProgram());
  }
}
