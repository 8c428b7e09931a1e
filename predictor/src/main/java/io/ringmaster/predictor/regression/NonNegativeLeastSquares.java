package io.ringmaster.predictor.regression;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Least squares with coefficients of at least 0, by the active set of Lawson and Hanson, "Solving
 * Least Squares Problems", 1974, chapter 23. Columns are scaled to length 1, and rows are reduced
 * to as many as there are columns by a QR decomposition first, so that many rows cost little.
 *
 * <p>Where columns depend on each other there are many solutions. This finds one of them, the same
 * each time: a column that depends on those in use stays at 0.
 */
public final class NonNegativeLeastSquares {
  /** A slope below this, of a column of length 1 and values of length 1, is none. */
  private static final double FLAT = 1e-12;

  private static final int ROUNDS_FOR_EACH_COLUMN = 10;

  private final double[][] rows;
  private final double[] values;
  private final int columns;
  private final double[] solution;
  private final boolean[] used;

  private NonNegativeLeastSquares(double[][] rows, double[] values, int columns) {
    this.rows = rows;
    this.values = values;
    this.columns = columns;
    this.solution = new double[columns];
    this.used = new boolean[columns];
  }

  /**
   * Finds the coefficients.
   *
   * @param rows one or more, one for each value, one number for each coefficient
   */
  public static double[] solve(double[][] rows, double[] values) {
    int columns = rows[0].length;
    double[] lengths = LeastSquares.lengths(rows);
    double[][] scaled = new double[rows.length][columns];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < columns; j++) {
        scaled[i][j] = lengths[j] == 0 ? 0 : rows[i][j] / lengths[j];
      }
    }
    double[] rotated = values.clone();
    double[][] triangle = triangle(scaled, rotated);
    NonNegativeLeastSquares problem =
        new NonNegativeLeastSquares(triangle, Arrays.copyOf(rotated, triangle.length), columns);
    problem.run(FLAT * LeastSquares.length(values));
    double[] coefficients = problem.solution;
    for (int j = 0; j < columns; j++) {
      // A column of zeros is never used.
      coefficients[j] = coefficients[j] == 0 ? 0 : coefficients[j] / lengths[j];
    }
    return coefficients;
  }

  /** The rows turned into a triangle; what is left of the values below it no column explains. */
  private static double[][] triangle(double[][] work, double[] values) {
    int size = Math.min(work.length, work[0].length);
    double[][] triangle = new double[size][work[0].length];
    for (int j = 0; j < size; j++) {
      triangle[j][j] = LeastSquares.reflect(work, values, j);
      System.arraycopy(work[j], j + 1, triangle[j], j + 1, work[0].length - j - 1);
    }
    return triangle;
  }

  private void run(double flat) {
    boolean[] useless = new boolean[columns];
    // Each round lowers the residual or rules a column out; the bound is for rounding alone.
    for (int round = 0; round < ROUNDS_FOR_EACH_COLUMN * columns; round++) {
      int next = steepest(useless, flat);
      if (next < 0) {
        return;
      }
      used[next] = true;
      double[] free = free();
      if (free == null || free[next] <= 0) {
        used[next] = false;
        useless[next] = true;
        continue;
      }
      Arrays.fill(useless, false);
      while (free != null && !advance(free)) {
        free = free();
      }
    }
  }

  /** The unused column whose coefficient lowers the residual fastest; -1: none does. */
  private int steepest(boolean[] useless, double flat) {
    double[] residuals = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      residuals[i] = values[i] - LeastSquares.dot(solution, rows[i]);
    }
    int best = -1;
    double most = flat;
    for (int j = 0; j < columns; j++) {
      if (used[j] || useless[j]) {
        continue;
      }
      double slope = 0;
      for (int i = 0; i < rows.length; i++) {
        slope += residuals[i] * rows[i][j];
      }
      if (slope > most) {
        best = j;
        most = slope;
      }
    }
    return best;
  }

  /** Least squares of the used columns, of any sign; null if they depend on each other. */
  private double @Nullable [] free() {
    int[] chosen = new int[columns];
    int count = 0;
    for (int j = 0; j < columns; j++) {
      if (used[j]) {
        chosen[count++] = j;
      }
    }
    if (count == 0) {
      return new double[columns];
    }
    double[][] part = new double[rows.length][count];
    for (int i = 0; i < rows.length; i++) {
      for (int c = 0; c < count; c++) {
        part[i][c] = rows[i][chosen[c]];
      }
    }
    LeastSquares fit = LeastSquares.of(part, values);
    if (fit == null) {
      return null;
    }
    double[] free = new double[columns];
    for (int c = 0; c < count; c++) {
      free[chosen[c]] = fit.coefficients()[c];
    }
    return free;
  }

  /** Goes towards a point until a coefficient is 0, which is then unused; true if it got there. */
  private boolean advance(double[] free) {
    double step = 1;
    int first = -1;
    for (int j = 0; j < columns; j++) {
      if (used[j] && free[j] <= 0) {
        double until = solution[j] / (solution[j] - free[j]);
        if (first < 0 || until < step) {
          first = j;
          step = until;
        }
      }
    }
    for (int j = 0; j < columns; j++) {
      if (used[j]) {
        solution[j] += step * (free[j] - solution[j]);
        if (j == first || solution[j] <= 0) {
          solution[j] = 0;
          used[j] = false;
        }
      }
    }
    return first < 0;
  }
}
