package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FittedExchangeTest {
  private static final FittedExchange EXCHANGE =
      new FittedExchange(AllReduce.RING, 2, 1, 4, 0.5, 8, 0.25, 3);

  @Test
  void aRingGoesAroundOnce() {
    assertThat(AllReduce.RING.steps(1)).isZero();
    assertThat(AllReduce.RING.share(1)).isZero();
    assertThat(AllReduce.RING.steps(6)).isEqualTo(5);
    assertThat(AllReduce.RING.share(4)).isEqualTo(0.75);
  }

  /** Of 6 workers two hand all to the other four: log2 4 + 1 = 3 steps, 3/4 + 1 of the gradient. */
  @Test
  void halvingAndDoublingLikesPowersOfTwo() {
    assertThat(AllReduce.HALVING_DOUBLING.steps(1)).isZero();
    assertThat(AllReduce.HALVING_DOUBLING.share(1)).isZero();
    assertThat(AllReduce.HALVING_DOUBLING.steps(8)).isEqualTo(3);
    assertThat(AllReduce.HALVING_DOUBLING.share(8)).isEqualTo(0.875);
    assertThat(AllReduce.HALVING_DOUBLING.steps(6)).isEqualTo(3);
    assertThat(AllReduce.HALVING_DOUBLING.share(6)).isEqualTo(1.75);
  }

  @Test
  void blocksCostMoreBetweenPowersOfTwo() {
    assertThat(AllReduce.BINARY_BLOCKS.steps(8)).isEqualTo(3);
    assertThat(AllReduce.BINARY_BLOCKS.share(8)).isEqualTo(0.875);
    assertThat(AllReduce.BINARY_BLOCKS.steps(6)).isEqualTo(4.25);
    assertThat(AllReduce.BINARY_BLOCKS.share(6)).isEqualTo(1.75);
    assertThat(AllReduce.BINARY_BLOCKS.text()).isEqualTo("binary-blocks");
  }

  /** 1 + 4 * 3/4 + 0.5 * 3 = 5.5 inside; 1 + 8 * 3/4 + 0.25 * 3 + 3 * (3 - 1) = 13.75 across. */
  @Test
  void insideAndAcrossDiffer() {
    assertThat(EXCHANGE.insideSeconds(1)).isZero();
    assertThat(EXCHANGE.insideSeconds(4)).isEqualTo(5.5);
    assertThat(EXCHANGE.acrossSeconds(4, 3)).isEqualTo(13.75);
    assertThat(EXCHANGE.seconds(Placement.on(2, 4))).isEqualTo(5.5);
    assertThat(EXCHANGE.seconds(Placement.of(new int[] {0, 1}, new int[] {1, 3}))).isEqualTo(13.75);
  }

  /** With an overlap of 2: sqrt(3^2 + 4^2) = 5. */
  @Test
  void overlapIsBetweenTheSumAndTheLonger() {
    assertThat(EXCHANGE.together(3, 4)).isCloseTo(5, within(1e-12));
    assertThat(EXCHANGE.together(4, 3)).isCloseTo(5, within(1e-12));
    assertThat(EXCHANGE.together(3, 0)).isEqualTo(3);
    assertThat(FittedExchange.anywhere(AllReduce.RING, 0, 1, 0).together(3, 4)).isEqualTo(7);
  }
}
