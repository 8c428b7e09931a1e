package io.ringmaster.predictor.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of printed tables, and cases that have a closed form. */
class TailsTest {
  @ParameterizedTest
  @CsvSource({"1, 12.7062", "2, 4.3027", "3, 3.1824", "10, 2.2281", "30, 2.0423", "100000, 1.9600"})
  void quantilesOfStudentsT(int freedom, double quantile) {
    assertThat(Tails.student95(freedom)).isCloseTo(quantile, within(5e-5));
  }

  @ParameterizedTest
  @CsvSource({"161.4476, 1, 1", "4.2565, 2, 9", "2.9782, 10, 10", "2.1646, 10, 30"})
  void fivePercentPointsOfFishersF(double f, int above, int below) {
    assertThat(Tails.fisher(f, above, below)).isCloseTo(0.05, within(3e-5));
  }

  /** For whole a and b it is a sum of binomial terms: 6/16 + 4/16 + 1/16. */
  @Test
  void theIncompleteBetaFunction() {
    assertThat(Tails.incompleteBeta(2, 3, 0.5)).isCloseTo(11.0 / 16, within(1e-14));
    assertThat(Tails.incompleteBeta(1, 1, 0.3)).isCloseTo(0.3, within(1e-14));
    assertThat(Tails.incompleteBeta(0.5, 0.5, 0.5)).isCloseTo(0.5, within(1e-14));
    assertThat(Tails.incompleteBeta(3, 4, 0)).isZero();
    assertThat(Tails.incompleteBeta(3, 4, 1)).isEqualTo(1);
  }

  /** With one degree of freedom t is Cauchy: 1 - 2 atan(t) / pi. */
  @Test
  void studentsTailWithOneDegreeOfFreedom() {
    for (double t : new double[] {0, 0.1, 1, 5, 1000}) {
      assertThat(Tails.student(t, 1)).isCloseTo(1 - 2 * Math.atan(t) / Math.PI, within(1e-12));
    }
    assertThat(Tails.student(Double.POSITIVE_INFINITY, 3)).isZero();
  }
}
