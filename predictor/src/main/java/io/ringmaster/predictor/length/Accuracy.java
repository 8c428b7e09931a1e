package io.ringmaster.predictor.length;

import java.util.Arrays;

/**
 * How far predictions are off.
 *
 * @param meanAbsolute mean of |predicted - actual|
 * @param medianRelative median of |predicted - actual| / actual
 * @param meanLogRatio mean of |ln(predicted / actual)|
 * @param logR2 share of the variance of ln(actual) that is explained; below 0 if the mean is
 *     better; NaN if all lengths are the same
 * @param withinTwofold share of jobs of which the one is at most twice the other
 */
public record Accuracy(
    double meanAbsolute,
    double medianRelative,
    double meanLogRatio,
    double logR2,
    double withinTwofold) {
  /** Compares two series of lengths, all above 0, at least one. */
  public static Accuracy of(double[] predicted, double[] actual) {
    int n = actual.length;
    double[] relative = new double[n];
    double[] ratio = new double[n];
    double absolute = 0;
    double logSum = 0;
    for (int i = 0; i < n; i++) {
      double off = Math.abs(predicted[i] - actual[i]);
      absolute += off;
      relative[i] = off / actual[i];
      ratio[i] = Math.abs(StrictMath.log(predicted[i] / actual[i]));
      logSum += StrictMath.log(actual[i]);
    }
    double squares = 0;
    for (double length : actual) {
      double off = StrictMath.log(length) - logSum / n;
      squares += off * off;
    }
    Arrays.sort(relative);
    double twofold = StrictMath.log(2) + 1e-12;
    double unexplained = Arrays.stream(ratio).map(r -> r * r).sum();
    return new Accuracy(
        absolute / n,
        (relative[(n - 1) / 2] + relative[n / 2]) / 2,
        Arrays.stream(ratio).sum() / n,
        squares > 0 ? 1 - unexplained / squares : Double.NaN,
        (double) Arrays.stream(ratio).filter(r -> r <= twofold).count() / n);
  }
}
