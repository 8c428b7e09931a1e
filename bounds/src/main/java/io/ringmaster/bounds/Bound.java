package io.ringmaster.bounds;

import java.util.Locale;

/**
 * How good a schedule could be, and how good one is that was found.
 *
 * @param anyScheduleSeconds no schedule is below this, whether it stops, moves or resizes jobs
 * @param lowerBoundSeconds no schedule is below this that runs each job once, to its end, with the
 *     GPUs it asks for
 * @param bestFoundSeconds what the best such schedule came to that was found and simulated; NaN if
 *     none was looked for
 */
public record Bound(
    Objective objective,
    double anyScheduleSeconds,
    double lowerBoundSeconds,
    double bestFoundSeconds,
    Status status,
    Model model) {
  /** What differs by no more than this, as a share, counts as equal: times are rounded to ticks. */
  static final double EQUAL = 1e-6;

  /** What is known of {@link #bestFoundSeconds}. */
  public enum Status {
    /** No schedule that runs each job once is better. */
    OPTIMAL,
    /** The best lies somewhere between the two numbers. */
    BOUND,
    /** Nothing was searched: the lower bound is that of {@link Model#RELAXATIONS}. */
    SKIPPED;

    /** As it is printed. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What was searched. */
  public enum Model {
    /** Every start and every placement, with contention. */
    SERVERS,
    /** Every start; the GPUs of all servers are one pool, and each job has its best time. */
    POOL,
    /** No search. */
    RELAXATIONS;

    /** As it is printed. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static boolean equal(double lowerSeconds, double bestSeconds) {
    return bestSeconds <= lowerSeconds * (1 + EQUAL);
  }
}
