package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SeenLengthsTest {
  private static SeenLengths seen(double[] ended, double... running) {
    return new SeenLengths(ended, running);
  }

  @Test
  void eachThatEndedCountsAsOne() {
    SeenLengths seen = seen(new double[] {30, 10, 20});
    assertThat(seen.count()).isEqualTo(3);
    assertThat(seen.longer(0)).isEqualTo(3);
    assertThat(seen.longer(10)).isEqualTo(2);
    assertThat(seen.longer(30)).isZero();
    assertThat(seen.longer(10, 0.0)).isEqualTo(20);
    assertThat(seen.longer(10, 0.49)).isEqualTo(20);
    assertThat(seen.longer(10, 0.51)).isEqualTo(30);
  }

  /** Kaplan and Meier by hand: 1, 1/2 of what is left after 15, then all of it. */
  @Test
  void whatStillRunsHandsItsShareOnToLongerOnes() {
    SeenLengths seen = seen(new double[] {10, 20, 30}, 15);
    assertThat(seen.count()).isEqualTo(4);
    assertThat(seen.longer(0)).isCloseTo(4, within(1e-12));
    assertThat(seen.longer(10)).isCloseTo(3, within(1e-12));
    assertThat(seen.longer(20)).isCloseTo(1.5, within(1e-12));
  }

  @Test
  void whatRunsLongerThanAnyHasNoLengthYet() {
    SeenLengths seen = seen(new double[] {10}, 50, 40);
    assertThat(seen.longer(10)).isEqualTo(2);
    assertThat(seen.longer(10, 0.5)).isNaN();
    assertThat(seen.longestRunning()).isEqualTo(50);
  }
}
