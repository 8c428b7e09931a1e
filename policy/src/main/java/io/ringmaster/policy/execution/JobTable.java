package io.ringmaster.policy.execution;

import io.ringmaster.policy.Ledger;
import io.ringmaster.predictor.told.LengthErrors;
import org.jspecify.annotations.Nullable;

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
   * What was told of that length when the job came: it may have been outlived since. Only asked of
   * jobs that have {@link #lengthErrors}.
   */
  default double toldSeconds(int job) {
    return estimateSeconds(job);
  }

  /**
   * How wrong the lengths of such jobs were told so far; null if it is known, or follows from what
   * the job reports of itself.
   */
  default @Nullable LengthErrors lengthErrors(int job) {
    return null;
  }

  /**
   * Ideal seconds after which a job is next to be looked at: it ends then, or another length is
   * expected of it.
   */
  double nextLookSeconds(int job);

  /** What is left of a job's work if it is stopped after so much of it, both in ideal seconds. */
  double keptSeconds(int job, double doneSeconds);

  /** How many times as long as ideal a job takes on the kind of GPU that it is for. */
  double slowdownOfKind(int job);
}
