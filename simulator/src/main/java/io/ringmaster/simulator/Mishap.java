package io.ringmaster.simulator;

import java.util.Locale;

/**
 * Something that took servers away from jobs, or a job from its servers.
 *
 * @param name of the server, the rack or the job
 * @param backSeconds when it is over; NaN for a job, which waits at once to go on
 */
public record Mishap(Kind kind, String name, double atSeconds, double backSeconds) {
  /** What happened. */
  public enum Kind {
    NODE,
    RACK,
    JOB,
    /** Servers are taken away on purpose. */
    MAINTENANCE,
    /** No job starts there, since they are taken away soon. */
    DRAIN;

    /** As files have it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether nobody wanted it. */
    public boolean isFailure() {
      return this == NODE || this == RACK || this == JOB;
    }
  }

  /** How many of these nobody wanted. */
  public static int failures(Iterable<Mishap> mishaps) {
    int failures = 0;
    for (Mishap mishap : mishaps) {
      failures += mishap.kind().isFailure() ? 1 : 0;
    }
    return failures;
  }
}
