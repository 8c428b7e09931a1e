package io.ringmaster.policy.execution;

import io.ringmaster.policy.Ledger;

/** What an {@link Execution} has to be told of its jobs, by number. */
public interface JobTable extends IdealRuns, Ledger.Gangs {
  double submitSeconds(int job);

  /** Index of the job's user, or -1. */
  int user(int job);

  /** True if some job may have another number of workers than it asks for. */
  boolean anyElastic();

  /** Whole length of a job in ideal seconds, as far as is known. */
  double estimateSeconds(int job);

  /**
   * Ideal seconds after which a job is next to be looked at: it ends then, or another length is
   * expected of it.
   */
  double nextLookSeconds(int job);
}
