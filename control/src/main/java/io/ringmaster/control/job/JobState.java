package io.ringmaster.control.job;

import java.util.Locale;

/**
 * Where a job stands. docs/job-states.md tells what it means; {@link Lifecycle} has every
 * transition.
 */
public enum JobState {
  /** Accepted; waits for the jobs that it depends on, or for the place that it was given to. */
  SUBMITTED,
  /** Waits for GPUs. */
  QUEUED,
  /** Has been given GPUs that others may still be leaving; also a job that stopped for a resize. */
  PLACED,
  /** The engine was asked to launch it. */
  STARTING,
  RUNNING,
  /** Asked to save its work and stop, to go on elsewhere or later. */
  CHECKPOINTING,
  /** The same of a job that is not known to have left a checkpoint: its work may be lost. */
  STOPPING,
  /** Asked to stop for good, by a person. */
  CANCELLING,
  /** Asked to stop for good, because its time is up. */
  TIMING_OUT,
  /** The engine forgot it; made sure of, before it is queued again. */
  LOST,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  TIMED_OUT;

  /** Whether nothing more can happen to it. */
  public boolean isEnd() {
    return switch (this) {
      case SUCCEEDED, FAILED, CANCELLED, TIMED_OUT -> true;
      default -> false;
    };
  }

  /** Whether no attempt of it has begun, or will before the policy says so. */
  public boolean isWaiting() {
    return this == SUBMITTED || this == QUEUED || this == PLACED;
  }

  /** Whether an attempt of it may have processes, which hold GPUs. */
  public boolean holdsGpus() {
    return switch (this) {
      case STARTING, RUNNING, CHECKPOINTING, STOPPING, CANCELLING, TIMING_OUT, LOST -> true;
      default -> false;
    };
  }

  /** Whether its attempt is wanted gone. */
  public boolean isStopping() {
    return switch (this) {
      case CHECKPOINTING, STOPPING, CANCELLING, TIMING_OUT, LOST -> true;
      default -> false;
    };
  }

  /** Whether it was asked to stop, to go on elsewhere or later. */
  public boolean isMakingRoom() {
    return this == CHECKPOINTING || this == STOPPING;
  }

  /** As in files, tables and the API. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The state of a text. */
  public static JobState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
