package io.ringmaster.control.job;

import org.jspecify.annotations.Nullable;

/** What may happen to a job. */
public sealed interface JobEvent {
  /** All that it depends on has succeeded, or the place that it was given to says so. */
  record Release() implements JobEvent {}

  /** Something that it depends on did not succeed. */
  record Doom(String why) implements JobEvent {}

  /** The place that it was given to says that it must not be launched for now. */
  record Hold(String why) implements JobEvent {}

  /** It is not there any more at the place that it was given to. */
  record Leave(String why) implements JobEvent {}

  /**
   * The policy decided.
   *
   * @param target where it is to run; null: it is to wait
   * @param predictedRate the share of it that is expected to be done there a second; NaN: not known
   */
  record Assign(
      @Nullable Allocation target, double learningRateScale, double predictedRate, String why)
      implements JobEvent {
    public Assign(@Nullable Allocation target, double learningRateScale, String why) {
      this(target, learningRateScale, Double.NaN, why);
    }
  }

  /** The GPUs of its target are free now: nobody's processes are on them. */
  record Begin() implements JobEvent {}

  /** The engine told of an attempt, this one or an earlier one. */
  record Seen(Status status) implements JobEvent {}

  /** The engine told all that it knows, and the present attempt was not in it. */
  record Missing() implements JobEvent {}

  /**
   * A person wants it to end.
   *
   * @param force at once: it is killed, also if it was asked to stop before
   */
  record Cancel(String by, boolean force) implements JobEvent {}

  /** A person wants it to go before others, or after them. */
  record Prioritize(int priority, String by) implements JobEvent {}

  /** It has waited long enough after an attempt that came to nothing. */
  record Retry() implements JobEvent {}

  /** It ran as long as it may. */
  record TimeUp() implements JobEvent {}
}
