package io.ringmaster.predictor.speed;

import io.ringmaster.model.FittedExchange;
import io.ringmaster.predictor.regression.NonNegativeLeastSquares;
import java.util.Arrays;

/**
 * Fits T = (compute^overlap + exchange^overlap)^(1 / overlap), where compute and exchange are sums
 * of terms with coefficients of at least 0, so that the mean square of log(T / seconds) is least.
 *
 * <p>T is homogeneous of degree 1 in the coefficients x, so T = J x with its own derivatives J
 * (Euler). A step of Gauss and Newton on the logarithms is therefore the least squares of J x / T
 * against 1 + log(seconds / T) with x of at least 0, and needs no starting point within bounds. It
 * is shortened until the error falls. The overlap is sought on a grid, each value from the solution
 * of the one before, since there can be several minima; from the best of the grid it moves along
 * with the coefficients as one more column.
 */
final class LogFit {
  static final double MOST_OVERLAP = 10;
  private static final double[] GRID = {1.25, 1.5, 2, 2.5, 3, 4, 6, 8};
  private static final int MOST_STEPS = 100;
  private static final int GRID_STEPS = 12;
  private static final int HALVINGS = 12;

  /** An error that falls by less than this part has settled. */
  private static final double SETTLED = 1e-10;

  /** The same on the grid, where it is enough to know which value is best. */
  private static final double NEARLY_SETTLED = 1e-3;

  /** A mean square of relative errors below this is rounding. */
  private static final double EXACT = 1e-29;

  /** What takes part with less than this of T would have no slope to grow along. */
  private static final double LEAST_PART = 1e-3;

  /** T is at least this part of the time measured, so that its logarithm is finite. */
  private static final double LEAST_RATIO = 1e-6;

  private final double[][] rows;
  private final int computing;
  private final double[] seconds;
  private final double[] weights;

  private LogFit(double[][] rows, int computing, double[] seconds, double[] weights) {
    this.rows = rows;
    this.computing = computing;
    this.seconds = seconds;
    this.weights = weights;
  }

  /** Coefficients, and the mean square of log(T / seconds). */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Solution(double[] coefficients, double overlap, double error) {}

  /**
   * @param rows what each term counts at each measurement
   * @param computing how many terms, from the first, are of the computation
   * @param weights how much each measurement counts, 1 on average
   */
  static Solution of(
      double[][] rows, int computing, double[] seconds, double[] weights, boolean overlaps) {
    LogFit fit = new LogFit(rows, computing, seconds, weights);
    Solution last = fit.descend(fit.start(), MOST_STEPS, SETTLED, false);
    if (!overlaps) {
      return last;
    }
    Solution best = last;
    double[] even = fit.even();
    for (double overlap : GRID) {
      Solution next =
          fit.descend(fit.at(last.coefficients(), overlap), GRID_STEPS, NEARLY_SETTLED, false);
      Solution other = fit.descend(fit.at(even, overlap), GRID_STEPS, NEARLY_SETTLED, false);
      last = other.error() < next.error() ? other : next;
      if (last.error() < best.error()) {
        best = last;
      }
    }
    return fit.descend(best, MOST_STEPS, SETTLED, true);
  }

  /** The best without overlap, errors relative to the measured time. */
  private Solution start() {
    double[][] relative = new double[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      double time = seconds[i] / Math.sqrt(weights[i]);
      relative[i] = Arrays.stream(rows[i]).map(x -> x / time).toArray();
    }
    double[] targets = Arrays.stream(weights).map(Math::sqrt).toArray();
    double[] coefficients = NonNegativeLeastSquares.solve(relative, targets);
    return at(coefficients, 1);
  }

  private Solution at(double[] coefficients, double overlap) {
    return new Solution(coefficients, overlap, error(coefficients, overlap));
  }

  /**
   * Coefficients with which all terms take about the same part of the time. With overlap a term at
   * 0 has no slope, so a descent from where some are 0 may end there.
   */
  private double[] even() {
    double[] coefficients = new double[rows[0].length];
    for (int j = 0; j < coefficients.length; j++) {
      double counted = 0;
      double time = 0;
      for (int i = 0; i < rows.length; i++) {
        counted += rows[i][j];
        time += rows[i][j] > 0 ? seconds[i] : 0;
      }
      coefficients[j] = time / counted / coefficients.length;
    }
    return coefficients;
  }

  private Solution descend(Solution start, int steps, double settles, boolean moveOverlap) {
    Solution at = start;
    for (int step = 0; step < steps && at.error() > EXACT; step++) {
      Solution next = step(at, moveOverlap);
      boolean settled = next.error() >= at.error() * (1 - settles);
      at = next;
      if (settled) {
        break;
      }
    }
    return at;
  }

  /** A step to where the error is less; the same place if there is none. */
  private Solution step(Solution at, boolean moveOverlap) {
    int columns = at.coefficients().length;
    double[][] slopes = new double[rows.length][];
    double[] targets = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      double[] slope = slopes(rows[i], computing, at.coefficients(), at.overlap());
      targets[i] = 1 - logRatio(i, at.coefficients(), at.overlap());
      if (moveOverlap) {
        // The last coefficient is overlap - 1, which is at least 0 as the others are.
        targets[i] += slope[columns] * (at.overlap() - 1);
      }
      double weight = Math.sqrt(weights[i]);
      targets[i] *= weight;
      slopes[i] =
          Arrays.stream(slope, 0, moveOverlap ? columns + 1 : columns)
              .map(x -> weight * x)
              .toArray();
    }
    double[] goal = NonNegativeLeastSquares.solve(slopes, targets);
    double length = 1;
    for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
      double[] coefficients = new double[columns];
      for (int j = 0; j < columns; j++) {
        // Exactly 0 stays so.
        coefficients[j] =
            length == 1 ? goal[j] : (1 - length) * at.coefficients()[j] + length * goal[j];
      }
      double overlap =
          moveOverlap
              ? Math.min(
                  MOST_OVERLAP, 1 + (1 - length) * (at.overlap() - 1) + length * goal[columns])
              : at.overlap();
      double error = error(coefficients, overlap);
      if (error < at.error()) {
        return new Solution(coefficients, overlap, error);
      }
    }
    return at;
  }

  private double error(double[] coefficients, double overlap) {
    double sum = 0;
    for (int i = 0; i < rows.length; i++) {
      double log = logRatio(i, coefficients, overlap);
      sum += weights[i] * log * log;
    }
    return sum / rows.length;
  }

  private double logRatio(int i, double[] coefficients, double overlap) {
    double time =
        FittedExchange.together(
            sum(rows[i], coefficients, 0, computing),
            sum(rows[i], coefficients, computing, rows[i].length),
            overlap);
    return StrictMath.log(Math.max(time / seconds[i], LEAST_RATIO));
  }

  private static double sum(double[] row, double[] coefficients, int from, int to) {
    double sum = 0;
    for (int j = from; j < to; j++) {
      sum += row[j] * coefficients[j];
    }
    return sum;
  }

  /** The slope of log T along each coefficient, and along the overlap at the end. */
  static double[] slopes(double[] row, int computing, double[] coefficients, double overlap) {
    double compute = sum(row, coefficients, 0, computing);
    double exchange = sum(row, coefficients, computing, row.length);
    double time = Math.max(FittedExchange.together(compute, exchange, overlap), Double.MIN_NORMAL);
    double computeSlope = StrictMath.pow(Math.max(compute / time, LEAST_PART), overlap - 1) / time;
    double exchangeSlope =
        StrictMath.pow(Math.max(exchange / time, LEAST_PART), overlap - 1) / time;
    double[] slopes = new double[row.length + 1];
    for (int j = 0; j < row.length; j++) {
      slopes[j] = row[j] * (j < computing ? computeSlope : exchangeSlope);
    }
    double part = Math.min(compute, exchange) / Math.max(compute, exchange);
    if (part > 0) {
      double power = StrictMath.pow(part, overlap);
      slopes[row.length] =
          (power * StrictMath.log(part) / (1 + power) - StrictMath.log1p(power) / overlap)
              / overlap;
    }
    return slopes;
  }
}
