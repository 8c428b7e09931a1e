package io.ringmaster.control.plane;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What must always hold does not: there is a mistake in the plane. Nothing of the step is stored or
 * carried out; whoever drives the plane drops it, and a new one takes up from the store.
 */
public final class BrokenInvariant extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /** What must hold after every step. */
  public enum Invariant {
    /** A job holds GPUs, and has been given some, exactly if its state says so. */
    JOB_AGREES_WITH_STATE,

    /** A job is open until its end, and among those to be launched only while it is placed. */
    JOB_IN_ITS_PLACE,

    /** The GPUs held on a node are those of its jobs; nobody is launched on more than it has. */
    HELD_GPUS,

    /**
     * A job that the policy may see is let in, too large, or behind a quota; others are neither.
     */
    ADMITTED_ONCE,

    /** What counts for a user's quota is what was let in and what still holds GPUs. */
    QUOTA_COUNTS,

    /** What counts for a user's limits is what the user's open jobs add up to. */
    USER_USAGE,

    /** The policy is shown the jobs that wait with the highest priority, and no others. */
    SHOWN_BY_PRIORITY,

    /** The policy thinks of each job that it is shown what was decided, and of GPUs likewise. */
    POLICY_AGREES;

    /** As in the metrics. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Invariant invariant;

  BrokenInvariant(Invariant invariant, String what) {
    super("%s: %s".formatted(invariant.text(), what));
    this.invariant = invariant;
  }

  public Invariant invariant() {
    return invariant;
  }

  /**
   * Throws unless something holds.
   *
   * @param what is wrong otherwise; a format and what to put in
   */
  @SuppressWarnings("AnnotateFormatMethod") // Error Prone's own annotation is no dependency.
  static void unless(boolean holds, Invariant invariant, String what, @Nullable Object... values) {
    if (!holds) {
      throw new BrokenInvariant(invariant, what.formatted(values));
    }
  }
}
