package io.ringmaster.simulator;

import java.util.Arrays;

/** A mean and half the width of its 95 % confidence interval (Student's t); 0 for one value. */
public record Statistics(double mean, double ci95) {
  /** Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom. */
  private static final double[] T = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

  private static final double NORMAL = 1.960;

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
    double quantile = n - 1 <= T.length ? T[n - 2] : NORMAL;
    return new Statistics(mean, quantile * Math.sqrt(squares / (n - 1) / n));
  }
}
