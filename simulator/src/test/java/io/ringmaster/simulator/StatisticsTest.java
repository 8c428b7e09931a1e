package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatisticsTest {
  /** As many values, half of them 1 and half -1 as far as that goes. */
  private static double[] values(int n) {
    double[] values = new double[n];
    Arrays.setAll(values, i -> i % 2 == 0 ? 1 : -1);
    return values;
  }

  /** The interval over the standard error of the mean. */
  private static double quantile(int n) {
    double[] values = values(n);
    double mean = Arrays.stream(values).sum() / n;
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return Statistics.of(values).ci95() / Math.sqrt(squares / (n - 1) / n);
  }

  @Test
  void oneValueHasNoInterval() {
    assertThat(Statistics.of(new double[] {7})).isEqualTo(new Statistics(7, 0));
  }

  /** As tables of Student's t have it, for one degree of freedom less than there are values. */
  @ParameterizedTest
  @CsvSource({
    "2, 12.706",
    "3, 4.303",
    "6, 2.571",
    "11, 2.228",
    "31, 2.042",
    "32, 2.040",
    "41, 2.021",
    "61, 2.000",
    "121, 1.980",
    "601, 1.964",
    "100001, 1.960"
  })
  void intervalIsStudents(int n, double expected) {
    assertThat(quantile(n)).isCloseTo(expected, within(1e-9));
  }

  /** More values never make it wider by more than what rounding does, nor narrower at a step. */
  @Test
  void quantileFallsWithoutAStep() {
    for (int n = 11; n < 500; n++) {
      assertThat(quantile(n) / quantile(n + 1)).as("%d values", n).isBetween(1 - 1e-9, 1.015);
    }
  }
}
