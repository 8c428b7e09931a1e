package io.ringmaster.experiments.doubling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EpochTimesTest {
  private static double epochSeconds(EpochTimes times, int workers) {
    IterationTime time = IterationTime.of(DoublingSetting.cluster(0));
    double seconds = time.seconds(times.profile(), Placement.on(0, workers), 1);
    return seconds * EpochTimes.BATCHES / workers;
  }

  /**
   * Seconds of an iteration are 1.38, 1.638, 1.89 and 2.368, so an exchange takes 0.258, 0.51 and
   * 0.988 = startup + share (w - 1) / w + step (w - 1). From 2 to 4 workers: 0.252 = share / 4 + 2
   * step; from 4 to 8: 0.478 = share / 8 + 4 step. Twice the second less the first: 0.704 = 6 step.
   */
  @Test
  void ringGoesThroughAllTimes() {
    EpochTimes times = EpochTimes.fitted(AllReduce.RING);
    FittedExchange exchange = Objects.requireNonNull(times.profile().exchange());
    double step = 0.704 / 6;
    double share = 4 * (0.252 - 2 * step);
    assertThat(times.profile().computeSeconds()).isCloseTo(1.38, within(1e-12));
    assertThat(exchange.insideStepSeconds()).isCloseTo(step, within(1e-12));
    assertThat(exchange.insideShareSeconds()).isCloseTo(share, within(1e-12));
    assertThat(exchange.startupSeconds()).isCloseTo(0.258 - share / 2 - step, within(1e-12));
    assertThat(times.worstError()).isLessThan(1e-12);
    for (int workers : new int[] {1, 2, 4, 8}) {
      assertThat(epochSeconds(times, workers))
          .isCloseTo(EpochTimes.measuredSeconds(workers), within(1e-9));
    }
  }

  /**
   * Of the terms of an exchange only steps are left, log2 w of them: 0.258, 0.51 and 0.988 s grow
   * faster than that, and start-up and share would have to be negative.
   */
  @Test
  void binaryBlocksComeNear() {
    EpochTimes times = EpochTimes.fitted(AllReduce.BINARY_BLOCKS);
    FittedExchange exchange = Objects.requireNonNull(times.profile().exchange());
    assertThat(exchange.startupSeconds()).isZero();
    assertThat(exchange.insideShareSeconds()).isZero();
    assertThat(times.worstError()).isBetween(0.03, 0.05);
    for (int workers : new int[] {1, 2, 4, 8}) {
      assertThat(epochSeconds(times, workers) / EpochTimes.measuredSeconds(workers))
          .isBetween(0.95, 1.05);
    }
  }

  /** So who adds one at a time stays at four. A ring is faster with each worker. */
  @Test
  void onlyBlocksAreSlowerWithFiveThanWithFour() {
    EpochTimes blocks = EpochTimes.fitted(AllReduce.BINARY_BLOCKS);
    EpochTimes ring = EpochTimes.fitted(AllReduce.RING);
    for (int workers = 1; workers < 8; workers++) {
      assertThat(epochSeconds(ring, workers + 1)).isLessThan(epochSeconds(ring, workers));
      assertThat(epochSeconds(blocks, workers + 1) > epochSeconds(blocks, workers))
          .isEqualTo(workers == 4);
    }
  }
}
