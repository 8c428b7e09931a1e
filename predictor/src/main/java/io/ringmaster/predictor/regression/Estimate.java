package io.ringmaster.predictor.regression;

import java.util.Arrays;

/**
 * A number found from measurements, with its uncertainty. What cannot be told is NaN: the error and
 * the interval if there are no more measurements than unknowns, one end of the interval or both if
 * it has no end.
 *
 * @param low lower end of the 95 % confidence interval
 * @param high upper end of the 95 % confidence interval
 */
public record Estimate(double value, double standardError, double low, double high) {
  public static Estimate symmetric(double value, double standardError, double quantile) {
    double half = quantile * standardError;
    return new Estimate(value, standardError, value - half, value + half);
  }

  /** The mean of values with its interval; without one for a single value. */
  public static Estimate mean(double[] values) {
    double mean = Arrays.stream(values).sum() / values.length;
    int freedom = values.length - 1;
    if (freedom == 0) {
      return new Estimate(mean, Double.NaN, Double.NaN, Double.NaN);
    }
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return symmetric(mean, Math.sqrt(squares / freedom / values.length), Tails.student95(freedom));
  }

  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }

  /** Whether the interval has the number; false without an interval. */
  public boolean mayBe(double number) {
    return low <= number && number <= high;
  }
}
