package io.ringmaster.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AxisTest {
  @Test
  void ticksAreRoundNumbersAroundTheValues() {
    assertThat(Axis.linear(1, 16, 8).ticks())
        .containsExactly(0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0);
    assertThat(Axis.linear(0.13, 0.21, 6).labels())
        .containsExactly("0.12", "0.14", "0.16", "0.18", "0.20", "0.22");
    assertThat(Axis.linear(-3, 19, 6).labels()).containsExactly("-5", "0", "5", "10", "15", "20");
    assertThat(Axis.linear(0, 34_000, 6).labels()).startsWith("0", "10,000").endsWith("40,000");
    assertThat(Axis.linear(5, 5, 6).ticks()).first().isEqualTo(2.0);
    assertThat(Axis.linear(0, 0, 6).labels()).contains("0", "-1.0", "1.0");
    assertThat(Axis.linear(0, 2.3e-9, 6).labels()).startsWith("0", "5e-10", "1e-9", "1.5e-9");
    assertThat(Axis.linear(0, 3e9, 3).labels()).containsExactly("0", "1e9", "2e9", "3e9");
  }

  @Test
  void logarithmicTicks() {
    assertThat(Axis.logarithmic(3, 70).labels()).containsExactly("2", "5", "10", "20", "50", "100");
    assertThat(Axis.logarithmic(1, 1000).labels()).containsExactly("1", "10", "100", "1000");
    assertThat(Axis.logarithmic(1e-6, 0.02).labels())
        .containsExactly("1e-6", "1e-5", "0.0001", "0.001", "0.01", "0.1");
    assertThat(Axis.logarithmic(2, 2).labels()).containsExactly("2", "5");
    Axis axis = Axis.logarithmic(1, 100);
    assertThat(axis.at(10)).isCloseTo(0.5, within(1e-12));
    // An error bar that reaches below 0 ends at the axis.
    assertThat(axis.at(-4)).isZero();
    assertThatThrownBy(() -> Axis.logarithmic(0, 10)).hasMessageContaining("no place for 0.0");
  }

  /** Whatever the values: ticks rise, are few, have them between them, and look different. */
  @Test
  void ticksCoverAnyValues() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      double size = Math.pow(10, random.nextDouble(-9, 9));
      double low = size * random.nextDouble(-1, 1);
      double high = low + size * random.nextDouble();
      covers(Axis.linear(low, high, 6), low, high);
      double least = Math.pow(10, random.nextDouble(-9, 9));
      double most = least * Math.pow(10, random.nextDouble(0, 5));
      covers(Axis.logarithmic(least, most), least, most);
    }
  }

  private static void covers(Axis axis, double low, double high) {
    double hair = 1e-8 * (axis.last() - axis.first());
    assertThat(axis.ticks()).hasSizeBetween(2, 10).isSorted();
    assertThat(axis.labels()).doesNotHaveDuplicates();
    assertThat(axis.first()).isLessThanOrEqualTo(low + hair);
    assertThat(axis.last()).isGreaterThanOrEqualTo(high - hair);
    assertThat(axis.at(axis.first())).isZero();
    assertThat(axis.at(axis.last())).isCloseTo(1, within(1e-12));
  }
}
