package io.ringmaster.control.job;

/**
 * How long a job waits before it is started again after its last attempt came to nothing: twice as
 * long each time, so that a job that cannot succeed does not keep the plane and the nodes busy.
 *
 * @param seconds the last such wait; 0: none
 * @param untilSeconds when it may be started again, in seconds since 1970; NaN: it does not wait
 */
public record Backoff(double seconds, double untilSeconds) {
  public static final Backoff NONE = new Backoff(0, Double.NaN);

  private static final double FIRST_SECONDS = 1;
  private static final double MOST_SECONDS = 300;

  /** An attempt that ran for so long was worth its start: waits begin anew after it. */
  private static final double WORTH_SECONDS = 600;

  /** Whether it must not be started yet. */
  public boolean waits() {
    return !Double.isNaN(untilSeconds);
  }

  /** After an attempt that came to nothing. */
  Backoff next(double ranSeconds, double nowSeconds) {
    double wait =
        ranSeconds >= WORTH_SECONDS
            ? FIRST_SECONDS
            : Math.clamp(2 * seconds, FIRST_SECONDS, MOST_SECONDS);
    return new Backoff(wait, nowSeconds + wait);
  }

  /** It has waited. */
  Backoff over() {
    return new Backoff(seconds, Double.NaN);
  }

  Backoff clockSet(double forwardSeconds) {
    return new Backoff(seconds, untilSeconds + forwardSeconds);
  }
}
