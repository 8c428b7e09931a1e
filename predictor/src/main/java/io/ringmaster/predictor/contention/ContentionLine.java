package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.regression.LeastSquares;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One fit of T = a + k b M + (k - 1) eta M to measurements. What the measurements cannot tell is
 * null.
 *
 * @param a seconds that an all-reduce takes whatever its size
 * @param b seconds a byte of a job that has the link for itself
 * @param eta seconds a byte that each further job adds beyond its share
 * @param alpha eta / b, what a cluster file calls by this name; null also if b is not above 0
 * @param threshold b / (2 (b + eta)), below which AdaDUAL lets a second job begin
 * @param rSquared share of the variance of the times, in seconds, that the line explains
 * @param relativeRmse root of the mean square of (measured - fitted) / fitted
 * @param points measurements
 * @param pairs different pairs of jobs and bytes among them
 */
public record ContentionLine(
    @Nullable Estimate a,
    Estimate b,
    @Nullable Estimate eta,
    @Nullable Estimate alpha,
    @Nullable Estimate threshold,
    double rSquared,
    double relativeRmse,
    int points,
    int pairs,
    Intervals intervals) {

  /** Which of a, b and eta the measurements can tell apart. */
  enum Form {
    FULL,
    /** One job at a time: T = a + b M. */
    ALONE,
    /** One size: a cannot be told from b M, and is taken as 0. */
    ONE_SIZE;

    double[] row(double jobs, double bytes) {
      return switch (this) {
        case FULL -> new double[] {1, jobs * bytes, (jobs - 1) * bytes};
        case ALONE -> new double[] {1, bytes};
        case ONE_SIZE -> new double[] {jobs * bytes, (jobs - 1) * bytes};
      };
    }
  }

  /** What the errors of measurements are in proportion to. */
  enum Errors {
    RELATIVE,
    ABSOLUTE
  }

  public enum Intervals {
    /** HC2 over the pairs of jobs and bytes: errors may differ from pair to pair. */
    ROBUST,
    /** Errors are taken to be alike for all measurements. */
    ALIKE,
    /** There are no more measurements than unknowns. */
    NONE
  }

  private static final int MOST_ROUNDS = 500;
  private static final double CONVERGED = 1e-13;

  /** A fitted time is not let below this share of the measured one when it is used as a weight. */
  private static final double LEAST_SCALE = 0.01;

  /** Fits a form; null if the measurements do not tell its unknowns apart. */
  static @Nullable ContentionLine of(List<Cell> cells, Form form, Errors errors) {
    double[] scales = cells.stream().mapToDouble(Cell::mean).toArray();
    if (errors == Errors.ABSOLUTE) {
      Arrays.fill(scales, 1);
    }
    LeastSquares solution = solve(cells, form, scales);
    for (int round = 0; solution != null && errors == Errors.RELATIVE; round++) {
      double change = 0;
      for (int i = 0; i < scales.length; i++) {
        double fitted = fitted(solution.coefficients(), form, cells.get(i));
        double scale = Math.max(fitted, LEAST_SCALE * cells.get(i).mean());
        change = Math.max(change, Math.abs(scale / scales[i] - 1));
        scales[i] = scale;
      }
      if (change < CONVERGED || round == MOST_ROUNDS) {
        break;
      }
      solution = solve(cells, form, scales);
    }
    return solution == null ? null : line(cells, form, scales, solution);
  }

  private static @Nullable LeastSquares solve(List<Cell> cells, Form form, double[] scales) {
    double[][] rows =
        cells.stream().map(cell -> form.row(cell.jobs(), cell.bytes())).toArray(double[][]::new);
    return Cell.leastSquares(cells, rows, scales);
  }

  private static double fitted(double[] coefficients, Form form, Cell cell) {
    return LeastSquares.dot(coefficients, form.row(cell.jobs(), cell.bytes()));
  }

  private static ContentionLine line(
      List<Cell> cells, Form form, double[] scales, LeastSquares solution) {
    double[] coefficients = solution.coefficients();
    Uncertainty uncertainty = Uncertainty.of(cells, scales, solution);
    int atB = form == Form.ONE_SIZE ? 0 : 1;
    Estimate alpha = null;
    Estimate threshold = null;
    if (form != Form.ALONE && coefficients[atB] > 0) {
      alpha = uncertainty.ratio(atB + 1, atB);
      threshold = threshold(alpha);
    }
    return new ContentionLine(
        form == Form.ONE_SIZE ? null : uncertainty.coefficient(0),
        uncertainty.coefficient(atB),
        form == Form.ALONE ? null : uncertainty.coefficient(atB + 1),
        alpha,
        threshold,
        rSquared(cells, form, coefficients),
        relativeRmse(cells, form, coefficients),
        Cell.points(cells),
        cells.size(),
        uncertainty.intervals());
  }

  /** 1 / (2 (1 + alpha)) falls with alpha, so the ends of the interval change places. */
  private static @Nullable Estimate threshold(Estimate alpha) {
    if (!(alpha.value() > -1)) {
      return null;
    }
    double value = threshold(alpha.value());
    double error = 2 * value * value * alpha.standardError();
    return new Estimate(value, error, threshold(alpha.high()), threshold(alpha.low()));
  }

  private static double threshold(double alpha) {
    return alpha > -1 ? 1 / (2 * (1 + alpha)) : Double.NaN;
  }

  private static double rSquared(List<Cell> cells, Form form, double[] coefficients) {
    double mean = 0;
    for (Cell cell : cells) {
      mean += cell.count() * cell.mean() / Cell.points(cells);
    }
    double left = 0;
    double all = 0;
    for (Cell cell : cells) {
      double off = cell.mean() - fitted(coefficients, form, cell);
      left += cell.squaresWithin() + cell.count() * off * off;
      all += cell.squaresWithin() + cell.count() * (cell.mean() - mean) * (cell.mean() - mean);
    }
    return 1 - left / all;
  }

  private static double relativeRmse(List<Cell> cells, Form form, double[] coefficients) {
    double sum = 0;
    for (Cell cell : cells) {
      double fitted = fitted(coefficients, form, cell);
      double off = cell.mean() - fitted;
      sum += (cell.squaresWithin() + cell.count() * off * off) / (fitted * fitted);
    }
    return Math.sqrt(sum / Cell.points(cells));
  }

  Form form() {
    return eta == null ? Form.ALONE : a == null ? Form.ONE_SIZE : Form.FULL;
  }

  /** The time that the line gives; 0 for an unknown part. */
  public double seconds(double jobs, double bytes) {
    return orZero(a) + jobs * bytes * b.value() + (jobs - 1) * bytes * orZero(eta);
  }

  private static double orZero(@Nullable Estimate estimate) {
    return estimate == null ? 0 : estimate.value();
  }

  /** By how much jobs that share a link are slower: k + alpha (k - 1); NaN if alpha is unknown. */
  public double degradation(double jobs) {
    return alpha == null ? Double.NaN : jobs + alpha.value() * (jobs - 1);
  }

  /** What relative errors of a cell are relative to. */
  double scale(Cell cell) {
    return Math.max(seconds(cell.jobs(), cell.bytes()), LEAST_SCALE * cell.mean());
  }
}
