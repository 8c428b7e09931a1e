package io.ringmaster.control.engine;

import io.ringmaster.control.job.Status;

/** What comes back from an engine, whenever it likes. */
public sealed interface Report {
  /** One attempt went forward. Just a hint: it may never come, or twice. */
  record Changed(Status status) implements Report {}

  /**
   * The answer to an {@link Command.Observe}.
   *
   * @param order of that command
   * @param doneOrder all that was asked up to this one was carried out before: that of the command
   *     itself, unless an earlier one hangs
   */
  record Observed(long order, long doneOrder, Snapshot snapshot) implements Report {
    public Observed(long order, Snapshot snapshot) {
      this(order, order, snapshot);
    }
  }
}
