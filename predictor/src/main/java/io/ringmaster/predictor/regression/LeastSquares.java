package io.ringmaster.predictor.regression;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Least squares by Householder's QR decomposition. Columns are scaled to length 1 first, so that
 * bytes beside a constant 1 cost no digits.
 *
 * @param leverages how much each value pulls its own fitted value: 1 if it decides it alone
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record LeastSquares(
    double[][] rows,
    double[] coefficients,
    double[] residuals,
    double[][] orthonormal,
    double[] leverages,
    double[][] inverse) {
  /** A column with less than this of its length outside the others' span is none of its own. */
  private static final double DEPENDENT = 1e-9;

  /**
   * Finds the coefficients.
   *
   * @param rows one for each value, one number for each coefficient
   * @return null if the rows do not tell all coefficients apart
   */
  public static @Nullable LeastSquares of(double[][] rows, double[] values) {
    int columns = rows[0].length;
    if (rows.length < columns) {
      return null;
    }
    double[] lengths = lengths(rows);
    double[][] work = new double[rows.length][columns];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < columns; j++) {
        work[i][j] = rows[i][j] / lengths[j];
      }
    }
    double[] rotated = values.clone();
    double[] diagonal = new double[columns];
    for (int j = 0; j < columns; j++) {
      diagonal[j] = reflect(work, rotated, j);
      // Also true of a column of zeros, whose length is 0.
      if (!(Math.abs(diagonal[j]) > DEPENDENT)) {
        return null;
      }
    }
    double[][] invertedR = invert(work, diagonal);
    for (int j = 0; j < columns; j++) {
      for (int m = j; m < columns; m++) {
        invertedR[j][m] /= lengths[j];
      }
    }
    return solved(rows, values, rotated, invertedR);
  }

  /** Of each column. */
  static double[] lengths(double[][] rows) {
    double[] lengths = new double[rows[0].length];
    for (double[] row : rows) {
      Arrays.setAll(lengths, j -> Math.hypot(lengths[j], row[j]));
    }
    return lengths;
  }

  public static double length(double[] vector) {
    double length = 0;
    for (double each : vector) {
      length = Math.hypot(length, each);
    }
    return length;
  }

  /** Turns column j into zeros below the diagonal, and all columns right of it with it. */
  static double reflect(double[][] work, double[] values, int j) {
    double length = 0;
    for (int i = j; i < work.length; i++) {
      length = Math.hypot(length, work[i][j]);
    }
    double diagonal = work[j][j] > 0 ? -length : length;
    work[j][j] -= diagonal;
    double square = 0;
    for (int i = j; i < work.length; i++) {
      square += work[i][j] * work[i][j];
    }
    if (square == 0) {
      return diagonal;
    }
    for (int m = j + 1; m < work[0].length; m++) {
      double along = 0;
      for (int i = j; i < work.length; i++) {
        along += work[i][j] * work[i][m];
      }
      for (int i = j; i < work.length; i++) {
        work[i][m] -= 2 * along / square * work[i][j];
      }
    }
    double along = 0;
    for (int i = j; i < work.length; i++) {
      along += work[i][j] * values[i];
    }
    for (int i = j; i < work.length; i++) {
      values[i] -= 2 * along / square * work[i][j];
    }
    return diagonal;
  }

  /** The inverse of the triangle that is above the diagonal in {@code work}. */
  private static double[][] invert(double[][] work, double[] diagonal) {
    int columns = diagonal.length;
    double[][] inverted = new double[columns][columns];
    for (int m = 0; m < columns; m++) {
      inverted[m][m] = 1 / diagonal[m];
      for (int j = m - 1; j >= 0; j--) {
        double sum = 0;
        for (int l = j + 1; l <= m; l++) {
          sum += work[j][l] * inverted[l][m];
        }
        inverted[j][m] = -sum / diagonal[j];
      }
    }
    return inverted;
  }

  private static LeastSquares solved(
      double[][] rows, double[] values, double[] rotated, double[][] invertedR) {
    int columns = invertedR.length;
    double[] coefficients = new double[columns];
    double[][] inverse = new double[columns][columns];
    for (int j = 0; j < columns; j++) {
      for (int m = j; m < columns; m++) {
        coefficients[j] += invertedR[j][m] * rotated[m];
      }
      for (int l = 0; l < columns; l++) {
        for (int m = Math.max(j, l); m < columns; m++) {
          inverse[j][l] += invertedR[j][m] * invertedR[l][m];
        }
      }
    }
    double[] residuals = new double[rows.length];
    double[][] orthonormal = new double[rows.length][columns];
    double[] leverages = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      residuals[i] = values[i] - dot(coefficients, rows[i]);
      for (int m = 0; m < columns; m++) {
        for (int j = 0; j <= m; j++) {
          orthonormal[i][m] += rows[i][j] * invertedR[j][m];
        }
      }
      leverages[i] = dot(orthonormal[i], orthonormal[i]);
    }
    return new LeastSquares(rows, coefficients, residuals, orthonormal, leverages, inverse);
  }

  public static double dot(double[] coefficients, double[] row) {
    double sum = 0;
    for (int j = 0; j < row.length; j++) {
      sum += coefficients[j] * row[j];
    }
    return sum;
  }

  /** The covariance of the coefficients if all values have this variance. */
  public double[][] covariance(double variance) {
    return Arrays.stream(inverse)
        .map(row -> Arrays.stream(row).map(x -> variance * x).toArray())
        .toArray(double[][]::new);
  }

  /**
   * The covariance of the coefficients if each value has a variance of its own: HC2 of MacKinnon
   * and White, "Some heteroskedasticity-consistent covariance matrix estimators with improved
   * finite sample properties", Journal of Econometrics 29, 1985. No leverage may be 1.
   */
  public double[][] robustCovariance() {
    int columns = coefficients.length;
    double[][] covariance = new double[columns][columns];
    for (int i = 0; i < rows.length; i++) {
      double[] row = rows[i];
      double error = residuals[i] / Math.sqrt(1 - leverages[i]);
      double[] moved = Arrays.stream(inverse).mapToDouble(r -> error * dot(r, row)).toArray();
      for (int j = 0; j < columns; j++) {
        for (int m = 0; m < columns; m++) {
          covariance[j][m] += moved[j] * moved[m];
        }
      }
    }
    return covariance;
  }

  /**
   * How many degrees of freedom that covariance has for a combination of the coefficients: few if
   * few values decide it. Bell, McCaffrey, "Bias reduction in standard errors for linear regression
   * with multi-stage samples", Survey Methodology 28(2), 2002; by Satterthwaite's rule, as if
   * errors were alike.
   *
   * <p>With M = I - H and D = diag(d), d the share of each value, the variance is found from errors
   * e as e' M D M e. That has tr(M D)^2 / tr((M D)^2) degrees of freedom.
   */
  public double robustFreedom(double[] combination) {
    int columns = combination.length;
    double trace = 0;
    double square = 0;
    double[][] sum = new double[columns][columns];
    for (int i = 0; i < rows.length; i++) {
      double pull = 0;
      for (int j = 0; j < columns; j++) {
        pull += combination[j] * dot(inverse[j], rows[i]);
      }
      double share = pull * pull / (1 - leverages[i]);
      trace += share * (1 - leverages[i]);
      square += share * share * (1 - 2 * leverages[i]);
      for (int j = 0; j < columns; j++) {
        for (int m = 0; m < columns; m++) {
          sum[j][m] += share * orthonormal[i][j] * orthonormal[i][m];
        }
      }
    }
    for (double[] row : sum) {
      square += dot(row, row);
    }
    return trace * trace / square;
  }

  public double residualSquares() {
    return dot(residuals, residuals);
  }
}
