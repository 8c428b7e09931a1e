package io.ringmaster.control.engine;

import io.ringmaster.control.job.AttemptId;

/** What the plane asks of an engine. Each may be lost, late, repeated or out of order. */
public sealed interface Command {
  /**
   * Ascending over the plane's life and over its leaders. An engine drops a {@link Start} that is
   * older than a {@link Forget} it has carried out: what it forgot must not come back.
   */
  long order();

  /** Start an attempt, unless it was ever started or stopped. */
  record Start(long order, Launch launch) implements Command {}

  /** Stop an attempt; one that is not there yet must never start. */
  record Stop(long order, AttemptId attempt, double graceSeconds) implements Command {}

  /** The end of an attempt is stored: it need not be told again. */
  record Forget(long order, AttemptId attempt) implements Command {}

  /**
   * A job that was given to the place has ended for the plane: it must be over there too.
   *
   * @param job the plane's number of it
   */
  record Withdraw(long order, long job, String arrival) implements Command {}

  /** Tell everything. */
  record Observe(long order) implements Command {}
}
