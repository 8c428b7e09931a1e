package io.ringmaster.control.job;

/**
 * What an engine says of an attempt. It only ever goes forward: pending, running, then an end.
 *
 * @param doneShare how much of the whole job's work it reports as done, 0 to 1; NaN: it does not
 *     say
 * @param saved whether a checkpoint of the job is there, of this attempt or of an earlier one
 */
public record Status(AttemptId attempt, Phase phase, double doneShare, boolean saved) {

  public Status(AttemptId attempt, Phase phase, double doneShare) {
    this(attempt, phase, doneShare, false);
  }

  public Status(AttemptId attempt, Phase phase) {
    this(attempt, phase, Double.NaN);
  }

  /** How far it is. */
  public sealed interface Phase {
    default boolean isEnd() {
      return false;
    }
  }

  /** Known, and no process yet. */
  public record Pending() implements Phase {}

  /** Its processes run. */
  public record Running() implements Phase {}

  /**
   * All its processes are gone.
   *
   * @param code 0 if all ended with 0; otherwise that of the first to fail, 128 + n for signal n
   * @param stopped whether it was asked to stop before it ended
   * @param why what the code does not say; empty: nothing
   */
  public record Exited(int code, boolean stopped, String why) implements Phase {
    public Exited(int code, boolean stopped) {
      this(code, stopped, "");
    }

    @Override
    public boolean isEnd() {
      return true;
    }
  }

  /** It has no process and never will have; how it ended is not known, or it never began. */
  public record Gone(String why) implements Phase {
    @Override
    public boolean isEnd() {
      return true;
    }
  }
}
