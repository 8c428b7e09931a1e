package io.ringmaster.predictor.contention;

import io.ringmaster.model.BadInput;

/**
 * A measured all-reduce.
 *
 * @param jobs that did all-reduces over the same link at the same time, this one included
 * @param bytes of the message: what every worker adds up with the others
 * @param seconds that one all-reduce of one job took
 */
public record AllReduceTime(int jobs, double bytes, double seconds) {
  public AllReduceTime {
    if (jobs < 1) {
      throw new BadInput("jobs: " + jobs + " is not a whole number of at least 1");
    }
    check("bytes", bytes);
    check("seconds", seconds);
  }

  private static void check(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new BadInput(name + ": " + value + " is not a number above 0");
    }
  }
}
