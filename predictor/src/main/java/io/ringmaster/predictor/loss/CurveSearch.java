package io.ringmaster.predictor.loss;

import org.jspecify.annotations.Nullable;

/**
 * The curve with the least weighted squares of errors in the loss. For a given b2, b0 and b1 follow
 * from a linear problem: 1 / (l - b2) = b0 k + b1. Its rows are weighted by (l - b2)^2, as a small
 * error e of l is one of e / (l - b2)^2 of the reciprocal. b2 itself is searched for: on a grid,
 * then by golden section between the neighbours of the best.
 */
final class CurveSearch {
  private static final double HIGHEST_B2 = 0.99;
  private static final double GOLDEN = (StrictMath.sqrt(5) - 1) / 2;

  private final int size;
  private final double[] epoch;
  private final double[] loss;
  private final double[] weight;
  private double b0;
  private double b1;

  /** Losses and epochs are best of about 1. */
  CurveSearch(double[] epoch, double[] loss, double[] weight) {
    this.size = loss.length;
    this.epoch = epoch;
    this.loss = loss;
    this.weight = weight;
  }

  /** The best curve, or null if there is none. */
  @Nullable LossCurve best(int gridValues, int goldenSteps) {
    double least = Double.POSITIVE_INFINITY;
    for (double each : loss) {
      least = Math.min(least, each);
    }
    double step = HIGHEST_B2 * least / (gridValues - 1);
    int at = 0;
    double error = Double.POSITIVE_INFINITY;
    for (int i = 0; i < gridValues; i++) {
      double here = error(i * step);
      if (here < error) {
        error = here;
        at = i;
      }
    }
    if (error == Double.POSITIVE_INFINITY) {
      return null;
    }
    double b2 = at * step;
    // A history that has long been flat has its b2 above the grid.
    double high = at == gridValues - 1 ? least : (at + 1) * step;
    double refined = golden(Math.max(0, at - 1) * step, high, goldenSteps);
    if (error(refined) <= error) {
      b2 = refined;
    }
    error(b2);
    return new LossCurve(b0, b1, b2);
  }

  private double golden(double from, double to, int steps) {
    double low = from;
    double high = to;
    double left = high - GOLDEN * (high - low);
    double right = low + GOLDEN * (high - low);
    double atLeft = error(left);
    double atRight = error(right);
    for (int i = 0; i < steps; i++) {
      if (atLeft <= atRight) {
        high = right;
        right = left;
        atRight = atLeft;
        left = high - GOLDEN * (high - low);
        atLeft = error(left);
      } else {
        low = left;
        left = right;
        atLeft = atRight;
        right = low + GOLDEN * (high - low);
        atRight = error(right);
      }
    }
    return (low + high) / 2;
  }

  /** Sets b0 and b1 to the best for this b2, and returns the weighted squares of errors. */
  private double error(double b2) {
    double kk = 0;
    double k1 = 0;
    double ones = 0;
    double ky = 0;
    double y1 = 0;
    for (int i = 0; i < size; i++) {
      double above = loss[i] - b2;
      double cube = weight[i] * above * above * above;
      double fourth = cube * above;
      double k = epoch[i];
      kk += fourth * k * k;
      k1 += fourth * k;
      ones += fourth;
      ky += cube * k;
      y1 += cube;
    }
    solve(kk, k1, ones, ky, y1);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      double off = loss[i] - b2 - 1 / (b0 * epoch[i] + b1);
      sum += weight[i] * off * off;
    }
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum;
  }

  /** Least squares in two unknowns that are not negative. */
  private void solve(double kk, double k1, double ones, double ky, double y1) {
    double determinant = kk * ones - k1 * k1;
    b0 = (ky * ones - y1 * k1) / determinant;
    b1 = (kk * y1 - k1 * ky) / determinant;
    if (b0 >= 0 && b1 >= 0) {
      return;
    }
    // On the edge one of them is 0; what each then explains says which.
    boolean slopeOnly = ky * ky / kk > y1 * y1 / ones;
    b0 = slopeOnly ? ky / kk : 0;
    b1 = slopeOnly ? 0 : y1 / ones;
  }
}
