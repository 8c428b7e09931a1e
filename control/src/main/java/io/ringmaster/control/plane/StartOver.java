package io.ringmaster.control.plane;

import java.util.Locale;

/**
 * Why a policy starts over: a new one is made and shown every job that it may see as arrived. What
 * was decided stays. {@link Scheduler} finds out which applies, in one place.
 */
public enum StartOver {
  /** The plane has just taken up from the store. */
  TAKEN_UP,

  /** Somebody chose another policy, or other settings of it. */
  POLICY_CHOSEN,

  /** The policy threw, or decided what cannot be: the simplest one goes on in its place. */
  POLICY_FAILED,

  /**
   * Policies know no priorities, and one would have stopped a job for another that is less
   * important. The more important ones are pinned: taken out of its reach.
   */
  JOBS_PINNED,

  /** Nobody less important than some pinned jobs waits any more: they are within reach again. */
  JOBS_UNPINNED,

  /**
   * Starts and restarts cost, or models are as fast as, something else than the policy was told.
   */
  LEARNED,

  /**
   * What the policy may give away changed: nodes came, went, were drained or resumed, or a job that
   * it has no say in gave GPUs back.
   */
  CAPACITY_CHANGED,

  /** A policy that saw rigid jobs alone was shown an elastic one; it may have counted on that. */
  FIRST_ELASTIC_JOB,

  /** A policy numbers jobs as they come, and keeps what it has for each number: there are many. */
  NUMBERS_USED_UP;

  /** As in the metrics. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
