package io.ringmaster.advise;

import java.util.Arrays;

/** What came out in many futures, in order. */
final class Spread {
  private final double[] sorted;

  private Spread(double[] sorted) {
    this.sorted = sorted;
  }

  static Spread of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Spread(sorted);
  }

  /**
   * What a share of futures is below. One more value, the truth, is as likely between any two
   * neighbours as beyond the first or the last.
   */
  double quantile(double share) {
    double at = share * (sorted.length + 1) - 1;
    int below = (int) Math.floor(at);
    if (below < 0) {
      return sorted[0];
    }
    if (below >= sorted.length - 1) {
      return sorted[sorted.length - 1];
    }
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
  }

  /** In order; a copy. */
  double[] values() {
    return sorted.clone();
  }

  double median() {
    return quantile(0.5);
  }

  /** The lower end of the middle part that holds a share. */
  double low(double share) {
    return quantile((1 - share) / 2);
  }

  double high(double share) {
    return quantile((1 + share) / 2);
  }
}
