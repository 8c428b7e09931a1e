package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartsTest {
  private static long[] parts(double capacity, double... amounts) {
    Parts parts = Parts.of(amounts, capacity);
    long[] all = new long[amounts.length + 1];
    for (int i = 0; i < amounts.length; i++) {
      all[i] = parts.amount(i);
    }
    all[amounts.length] = parts.capacity();
    return all;
  }

  /** 1.4 and 2.1 are two and three times 0.7; 3.6 holds five of these. */
  @Test
  void multiplesOfTheSmallest() {
    assertThat(parts(3.6, 0.7, 1.4, 2.1, 0)).containsExactly(1, 2, 3, 0, 5);
  }

  /** 2 and 3 are two and three halves of the smallest. */
  @Test
  void multiplesOfAPartOfTheSmallest() {
    assertThat(parts(7.5, 2, 3)).containsExactly(2, 3, 7);
  }

  /** Three thirds fit although they are no round numbers. */
  @Test
  void thirdsMakeAWhole() {
    assertThat(parts(1.25e9, 1.25e9 / 3, 1.25e9 / 3 * 2, 1.25e9)).containsExactly(1, 2, 3, 3);
  }

  /** 1 and pi have no unit in common: parts of 4e-12, rounded up. 5e-10 of 1e12 is forgiven. */
  @Test
  void withoutACommonUnitAmountsAreRoundedUp() {
    assertThat(parts(4, 1, Math.PI))
        .containsExactly(250_000_000_000L, 785_398_163_398L, 1_000_000_000_500L);
  }

  @Test
  void tooMuchAndNoLimit() {
    assertThat(parts(4, 2, 9)).containsExactly(1, 3, 2);
    assertThat(parts(0, 1, 0)).containsExactly(1, 0, 0);
    assertThat(parts(Double.POSITIVE_INFINITY, 1, 2)).containsExactly(0, 0, 0);
  }
}
