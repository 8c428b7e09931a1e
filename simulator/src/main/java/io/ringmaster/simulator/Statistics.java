package io.ringmaster.simulator;

import io.ringmaster.predictor.regression.Tails;
import java.util.Arrays;

/** A mean and half the width of its 95 % confidence interval (Student's t); 0 for one value. */
public record Statistics(double mean, double ci95) {
  /** As many digits of the quantile as tables print: more would not be the same on all machines. */
  private static final double QUANTILE_DIGITS = 1000;

  public static Statistics of(double[] values) {
    int n = values.length;
    double mean = Arrays.stream(values).sum() / n;
    if (n == 1) {
      return new Statistics(mean, 0);
    }
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double quantile = Math.round(QUANTILE_DIGITS * Tails.student95(n - 1)) / QUANTILE_DIGITS;
    return new Statistics(mean, quantile * Math.sqrt(squares / (n - 1) / n));
  }
}
