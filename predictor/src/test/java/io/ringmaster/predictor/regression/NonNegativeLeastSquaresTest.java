package io.ringmaster.predictor.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.ojalgo.function.constant.PrimitiveMath;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;
import org.ojalgo.optimisation.convex.ConvexSolver;

final class NonNegativeLeastSquaresTest {
  private static final int SYSTEMS = 400;

  /** Alone x1 = 1, x2 = -1. With x2 = 0: x1 = (1 * 1 + 1 * 0) / (1 + 1) = 1/2. */
  @Test
  void aNegativeCoefficientIsZeroAndTheOthersMakeUpForIt() {
    double[][] rows = {{1, 0}, {1, 1}};
    assertThat(NonNegativeLeastSquares.solve(rows, new double[] {1, 0}))
        .containsExactly(new double[] {0.5, 0}, within(1e-15));
  }

  @Test
  void isLeastSquaresWhereThatIsPositive() {
    double[][] rows = {{1, 1}, {1, 2}, {1, 3}};
    // 2 + 3 x through all three points.
    assertThat(NonNegativeLeastSquares.solve(rows, new double[] {5, 8, 11}))
        .containsExactly(new double[] {2, 3}, within(1e-13));
  }

  @Test
  void allIsZeroIfNothingHelps() {
    double[][] rows = {{1, 2}, {3, 4}};
    assertThat(NonNegativeLeastSquares.solve(rows, new double[] {-1, -1})).containsExactly(0, 0);
    assertThat(NonNegativeLeastSquares.solve(rows, new double[] {0, 0})).containsExactly(0, 0);
  }

  @Test
  void columnsOfZerosAndEqualColumnsDoNoHarm() {
    double[][] rows = {{0, 1, 1}, {0, 1, 1}};
    double[] found = NonNegativeLeastSquares.solve(rows, new double[] {4, 4});
    assertThat(found[0]).isZero();
    assertThat(found[1] + found[2]).isCloseTo(4, within(1e-14));
  }

  @Test
  void columnsMayDifferBySizes() {
    double[][] rows = {{1e12, 1e-9}, {2e12, 1e-9}, {3e12, 1e-9}};
    assertThat(NonNegativeLeastSquares.solve(rows, new double[] {3, 5, 7}))
        .satisfies(x -> assertThat(x[0]).isCloseTo(2e-12, within(1e-24)))
        .satisfies(x -> assertThat(x[1]).isCloseTo(1e9, within(1e-3)));
  }

  @Test
  void fulfilsTheConditionsOfKarushKuhnTucker() {
    Seeds.each(
        SYSTEMS,
        (random, _) -> {
          double[][] rows = rows(random);
          double[] values = values(random, rows);
          double[] found = NonNegativeLeastSquares.solve(rows, values);
          double size = norm(values);
          for (int j = 0; j < found.length; j++) {
            double length = norm(column(rows, j));
            double slope = LeastSquares.dot(column(rows, j), residuals(rows, values, found));
            double relative = length == 0 ? 0 : slope / length;
            assertThat(found[j]).isGreaterThanOrEqualTo(0);
            assertThat(relative).isLessThanOrEqualTo(1e-8 * size);
            if (found[j] > 0) {
              assertThat(relative).isCloseTo(0, within(1e-8 * size));
            }
          }
        });
  }

  @Test
  void agreesWithAQuadraticProgram() {
    Seeds.each(
        SYSTEMS,
        (random, _) -> {
          double[][] rows = rows(random);
          double[] values = values(random, rows);
          double[] found = NonNegativeLeastSquares.solve(rows, values);
          double[] program = program(rows, values);
          double least = norm(residuals(rows, values, found));
          double other = norm(residuals(rows, values, program));
          double size = norm(values);
          // The program's may be a little off; ours may not be worse.
          assertThat(least).isLessThanOrEqualTo(other + 1e-8 * size);
          assertThat(other).isLessThanOrEqualTo(least + 1e-4 * size);
          LeastSquares unique = LeastSquares.of(rows, values);
          if (unique != null && isWellPosed(rows)) {
            for (int j = 0; j < found.length; j++) {
              assertThat(found[j]).isCloseTo(program[j], within(1e-3 * (1 + size)));
            }
          }
        });
  }

  private static boolean isWellPosed(double[][] rows) {
    return rows.length >= 2 * rows[0].length;
  }

  private static double[] program(double[][] rows, double[] values) {
    R064Store matrix = R064Store.FACTORY.make(rows.length, rows[0].length);
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < rows[0].length; j++) {
        matrix.set(i, j, rows[i][j]);
      }
    }
    MatrixStore<Double> square = matrix.transpose().multiply(matrix);
    MatrixStore<Double> linear = matrix.transpose().multiply(R064Store.FACTORY.column(values));
    int columns = rows[0].length;
    R064Store minus = R064Store.FACTORY.makeEye(columns, columns);
    minus.modifyAll(PrimitiveMath.NEGATE);
    R064Store zeros = R064Store.FACTORY.make(columns, 1);
    double[] found =
        ConvexSolver.newBuilder()
            .objective(square, linear)
            .inequalities(minus, zeros)
            .build()
            .solve()
            .toRawCopy1D();
    double[] clipped = new double[columns];
    for (int j = 0; j < columns; j++) {
      clipped[j] = Math.max(0, found[j]);
    }
    return clipped;
  }

  /** Of all shapes; some with columns that depend on each other, some with columns of zeros. */
  private static double[][] rows(RandomGenerator random) {
    int columns = 1 + random.nextInt(8);
    int count = 1 + random.nextInt(30);
    double[][] rows = new double[count][columns];
    boolean positive = random.nextBoolean();
    for (double[] row : rows) {
      for (int j = 0; j < columns; j++) {
        row[j] = positive ? random.nextDouble() : random.nextGaussian();
      }
    }
    int kind = random.nextInt(4);
    for (double[] row : rows) {
      if (kind == 0) {
        row[columns - 1] = 0;
      } else if (kind == 1 && columns > 2) {
        row[columns - 1] = row[0] + row[1];
      }
    }
    return rows;
  }

  private static double[] values(RandomGenerator random, double[][] rows) {
    int kind = random.nextInt(4);
    double[] truth = new double[rows[0].length];
    for (int j = 0; j < truth.length; j++) {
      truth[j] = kind == 0 ? -1 - random.nextDouble() : random.nextDouble() - 0.3;
    }
    double[] values = new double[rows.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = LeastSquares.dot(truth, rows[i]) + (kind == 1 ? 0 : 0.3 * random.nextGaussian());
    }
    return values;
  }

  private static double[] residuals(double[][] rows, double[] values, double[] coefficients) {
    double[] residuals = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      residuals[i] = values[i] - LeastSquares.dot(coefficients, rows[i]);
    }
    return residuals;
  }

  private static double[] column(double[][] rows, int j) {
    double[] column = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      column[i] = rows[i][j];
    }
    return column;
  }

  private static double norm(double[] vector) {
    double norm = 0;
    for (double each : vector) {
      norm = Math.hypot(norm, each);
    }
    return norm;
  }
}
