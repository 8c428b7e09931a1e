package io.ringmaster.predictor;

import io.ringmaster.predictor.ContentionLine.Intervals;
import java.util.Arrays;
import java.util.List;

/** How sure the coefficients of a fit are. */
final class Uncertainty {
  private static final double DECIDES_ALONE = 1 - 1e-9;

  private final double[] coefficients;
  private final double[][] covariance;
  private final double quantile;
  private final Intervals intervals;

  private Uncertainty(
      double[] coefficients, double[][] covariance, double quantile, Intervals intervals) {
    this.coefficients = coefficients;
    this.covariance = covariance;
    this.quantile = quantile;
    this.intervals = intervals;
  }

  /** Of a solution whose rows were the cells, each over its scale. */
  static Uncertainty of(List<Cell> cells, double[] scales, LeastSquares solution) {
    double[] coefficients = solution.coefficients();
    double highest = Arrays.stream(solution.leverages()).max().orElse(1);
    if (cells.size() > coefficients.length && highest < DECIDES_ALONE) {
      return new Uncertainty(
          coefficients,
          solution.robustCovariance(),
          Tails.student95(cells.size() - coefficients.length),
          Intervals.ROBUST);
    }
    double squares = solution.residualSquares();
    for (int i = 0; i < cells.size(); i++) {
      squares += cells.get(i).squaresWithin() / (scales[i] * scales[i]);
    }
    int freedom = Cell.points(cells) - coefficients.length;
    return freedom > 0
        ? new Uncertainty(
            coefficients,
            solution.covariance(squares / freedom),
            Tails.student95(freedom),
            Intervals.ALIKE)
        : new Uncertainty(
            coefficients, solution.covariance(Double.NaN), Double.NaN, Intervals.NONE);
  }

  Intervals intervals() {
    return intervals;
  }

  Estimate coefficient(int j) {
    return Estimate.symmetric(coefficients[j], Math.sqrt(covariance[j][j]), quantile);
  }

  /**
   * The ratio of two coefficients with Fieller's interval. It is not symmetric, and has no end
   * where the divisor may be 0; where the divisor is certain it is that of the delta method, which
   * the standard error is of.
   */
  Estimate ratio(int above, int below) {
    double divisor = coefficients[below];
    double value = coefficients[above] / divisor;
    double aa = covariance[above][above] / (divisor * divisor);
    double bb = covariance[below][below] / (divisor * divisor);
    double ab = covariance[above][below] / (divisor * divisor);
    double delta = Math.max(0, aa - 2 * value * ab + value * value * bb);
    double error = Math.sqrt(delta);
    double square = quantile * quantile;
    double g = square * bb;
    if (!(g < 1)) {
      return new Estimate(value, error, Double.NaN, Double.NaN);
    }
    double middle = (value - square * ab) / (1 - g);
    double half = quantile * Math.sqrt(Math.max(0, delta - square * (aa * bb - ab * ab))) / (1 - g);
    return new Estimate(value, error, middle - half, middle + half);
  }
}
