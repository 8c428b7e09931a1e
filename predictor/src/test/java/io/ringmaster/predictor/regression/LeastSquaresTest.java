package io.ringmaster.predictor.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {
  /**
   * A line through (1, 1), (2, 2), (3, 4). Slope: ((-1)(-4/3) + (1)(5/3)) / 2 = 3/2; intercept: 7/3
   * - 2 * 3/2 = -2/3. Residuals 1/6, -1/3, 1/6, so their squares sum to 1/6. Leverages 1/3 + (x -
   * 2)^2 / 2 = 5/6, 1/3, 5/6. Squares of errors of HC2: (1/36) / (1/6) = 1/6, (1/9) / (2/3) = 1/6,
   * 1/6. The slope's variance: (1/2)^2 / 6 + 0 + (1/2)^2 / 6 = 1/12.
   *
   * <p>There is one residual for two unknowns: any combination has one degree of freedom.
   */
  @Test
  void aLineByHand() {
    double[][] rows = {{1, 1}, {1, 2}, {1, 3}};
    LeastSquares line =
        Objects.requireNonNull(LeastSquares.of(rows, new double[] {1, 2, 4}), "full rank");
    assertThat(line.coefficients()).containsExactly(new double[] {-2.0 / 3, 1.5}, within(1e-14));
    assertThat(line.leverages())
        .containsExactly(new double[] {5.0 / 6, 1.0 / 3, 5.0 / 6}, within(1e-14));
    assertThat(line.residualSquares()).isCloseTo(1.0 / 6, within(1e-14));
    assertThat(line.robustCovariance()[1][1]).isCloseTo(1.0 / 12, within(1e-13));
    assertThat(line.robustFreedom(new double[] {0, 1})).isCloseTo(1, within(1e-12));
    // Alike: variance over the sum of (x - 2)^2.
    assertThat(line.covariance(1)[1][1]).isCloseTo(0.5, within(1e-14));
    assertThat(line.covariance(1)[0][0]).isCloseTo(1.0 / 3 + 4.0 / 2, within(1e-13));
  }

  /**
   * The mean of n values: every leverage is 1/n, every share 1 / n^2 / (1 - 1/n). The trace is 1 /
   * n. The squares are (1 - 2/n) / (n (n - 1)^2) + (1 / (n (n - 1)))^2 (n / n)^2 = (n - 1)^-1 n^-2:
   * n - 1 degrees of freedom, and the usual variance of a mean.
   */
  @Test
  void aMeanHasOneDegreeOfFreedomLessThanValues() {
    double[][] rows = {{1}, {1}, {1}, {1}, {1}};
    LeastSquares mean =
        Objects.requireNonNull(LeastSquares.of(rows, new double[] {1, 2, 3, 4, 5}), "full rank");
    assertThat(mean.coefficients()[0]).isCloseTo(3, within(1e-14));
    assertThat(mean.robustFreedom(new double[] {1})).isCloseTo(4, within(1e-12));
    assertThat(mean.robustCovariance()[0][0]).isCloseTo(10.0 / 4 / 5, within(1e-14));
  }

  /** Columns of 1 and 1e12 side by side cost no digits. */
  @Test
  void columnsOfAnySizeAreSolved() {
    double[][] rows = {{1, 1e12}, {1, 2e12}, {1, 4e12}};
    double[] values = {1 + 1e-3, 1 + 2e-3, 1 + 4e-3};
    LeastSquares line = Objects.requireNonNull(LeastSquares.of(rows, values), "full rank");
    assertThat(line.coefficients()[0]).isCloseTo(1, within(1e-13));
    assertThat(line.coefficients()[1]).isCloseTo(1e-15, within(1e-27));
  }

  @Test
  void whatCannotBeToldApartIsNotGuessed() {
    assertThat(LeastSquares.of(new double[][] {{1, 2}, {2, 4}, {3, 6}}, new double[3])).isNull();
    assertThat(LeastSquares.of(new double[][] {{1, 0}, {2, 0}, {3, 0}}, new double[3])).isNull();
    assertThat(LeastSquares.of(new double[][] {{1, 2}}, new double[1])).isNull();
  }
}
