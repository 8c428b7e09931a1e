package io.ringmaster.bounds;

/**
 * Whole units of time, for a solver that counts. Times are rounded down, which keeps a lower bound
 * valid: take any real schedule and round all its starts and ends down. Jobs that did not overlap
 * still do not, and none has become shorter than its own time rounded down.
 *
 * @param unitSeconds one tick
 */
record Ticks(double unitSeconds) {
  /** Ticks in a length that matters: what rounding costs is far below what is called equal. */
  private static final double RESOLUTION = 1e8;

  /** Sums of a few products of a time and {@link Rings#SCALE} must fit a long. */
  private static final double MOST = 1e11;

  /** Arithmetic noise must not cost a tick where a time is a whole number of them. */
  private static final double NOISE = 1e-3;

  static Ticks of(double scaleSeconds, double horizonSeconds) {
    return new Ticks(Math.max(scaleSeconds / RESOLUTION, horizonSeconds / MOST));
  }

  long down(double seconds) {
    return (long) Math.floor(seconds / unitSeconds + NOISE);
  }

  double seconds(double ticks) {
    return ticks * unitSeconds;
  }
}
