package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.contention.ContentionLine.Intervals;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.regression.LeastSquares;
import io.ringmaster.predictor.regression.Tails;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How sure the coefficients of a fit are.
 *
 * @param quantile of Student's t for a combination of the coefficients
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Uncertainty(
    double[] coefficients,
    double[][] covariance,
    ToDoubleFunction<double[]> quantile,
    Intervals intervals) {
  private static final double DECIDES_ALONE = 1 - 1e-9;

  /** Of a solution whose rows were the cells, each over its scale. */
  static Uncertainty of(List<Cell> cells, double[] scales, LeastSquares solution) {
    double[] coefficients = solution.coefficients();
    double highest = Arrays.stream(solution.leverages()).max().orElse(1);
    if (cells.size() > coefficients.length && highest < DECIDES_ALONE) {
      return new Uncertainty(
          coefficients,
          solution.robustCovariance(),
          combination -> Tails.student95(solution.robustFreedom(combination)),
          Intervals.ROBUST);
    }
    double squares = solution.residualSquares();
    for (int i = 0; i < cells.size(); i++) {
      squares += cells.get(i).squaresWithin() / (scales[i] * scales[i]);
    }
    int freedom = Cell.points(cells) - coefficients.length;
    if (freedom == 0) {
      return new Uncertainty(
          coefficients, solution.covariance(Double.NaN), _ -> Double.NaN, Intervals.NONE);
    }
    double alike = Tails.student95(freedom);
    return new Uncertainty(
        coefficients, solution.covariance(squares / freedom), _ -> alike, Intervals.ALIKE);
  }

  Estimate coefficient(int j) {
    double[] combination = new double[coefficients.length];
    combination[j] = 1;
    return Estimate.symmetric(
        coefficients[j], Math.sqrt(covariance[j][j]), quantile.applyAsDouble(combination));
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
    // The ends are where above - end * below may just be 0: what its quantile is of.
    double[] combination = new double[coefficients.length];
    combination[above] = 1;
    combination[below] = -value;
    double t = quantile.applyAsDouble(combination);
    double square = t * t;
    double g = square * bb;
    if (!(g < 1)) {
      return new Estimate(value, error, Double.NaN, Double.NaN);
    }
    double middle = (value - square * ab) / (1 - g);
    double half = t * Math.sqrt(Math.max(0, delta - square * (aa * bb - ab * ab))) / (1 - g);
    return new Estimate(value, error, middle - half, middle + half);
  }
}
