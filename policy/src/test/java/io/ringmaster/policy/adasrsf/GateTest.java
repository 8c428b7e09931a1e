package io.ringmaster.policy.adasrsf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import org.junit.jupiter.api.Test;

/** When a transfer may start beside others. */
class GateTest {
  private static double neverAsked() {
    throw new AssertionError("what is left does not matter here");
  }

  /** b / (2 (b + eta)) = 0.856 / (2 * 1.091) = 0.856 / 2.182. */
  @Test
  void theThresholdOfTenGigabitEthernet() {
    assertThat(AdaDual.threshold(0.856, 0.235)).isCloseTo(0.3923, within(1e-4));
  }

  /** 1 / (2 * 1.2): the default cluster has alpha = 0.2. Without a penalty it is a half. */
  @Test
  void theThresholdFollowsThePenalty() {
    assertThat(AdaDual.threshold(1, 0.2)).isCloseTo(1 / 2.4, within(1e-15));
    assertThat(AdaDual.threshold(5, 1)).isCloseTo(1 / 2.4, within(1e-15));
    assertThat(AdaDual.threshold(1, 0)).isEqualTo(0.5);
  }

  @Test
  void adaDualJoinsOneMuchLargerTransfer() {
    AdaDual gate = AdaDual.of(1, 0.25);
    // The threshold is 1 / 2.5 = 0.4.
    assertThat(gate.admits(0, 100, GateTest::neverAsked)).isTrue();
    assertThat(gate.admits(1, 39.9, () -> 100)).isTrue();
    assertThat(gate.admits(1, 40, () -> 100)).isFalse();
    assertThat(gate.admits(1, 40.1, () -> 100)).isFalse();
    assertThat(gate.admits(2, 1, GateTest::neverAsked)).isFalse();
    assertThat(gate.admits(1, 1, () -> 0)).isFalse();
  }

  @Test
  void atMostCountsAlone() {
    assertThat(new Gate.AtMost(1).admits(0, 1, GateTest::neverAsked)).isTrue();
    assertThat(new Gate.AtMost(1).admits(1, 1, GateTest::neverAsked)).isFalse();
    assertThat(new Gate.AtMost(3).admits(2, 1e9, () -> 1)).isTrue();
    assertThat(new Gate.AtMost(3).admits(3, 1, () -> 1e9)).isFalse();
    assertThat(Gate.AtMost.ANY.admits(1000, 1e9, () -> 1)).isTrue();
  }

  /** Both ways are played out: AdaDUAL joins exactly if the ends then sum up to less. */
  @Test
  void adaDualChoosesTheLesserSumOfEnds() {
    Seeds.each(
        2000,
        (random, seed) -> {
          double b = random.nextDouble(0.1, 2);
          double eta = random.nextDouble(0, 2);
          double underWay = random.nextDouble(1, 100);
          double added = random.nextDouble(0.01, 1.5) * underWay;

          double smaller = Math.min(added, underWay);
          double together = smaller * (2 * b + eta);
          double sumTogether = 2 * together + b * (Math.max(added, underWay) - smaller);
          double sumInTurn = b * underWay + b * (underWay + added);

          boolean joins = AdaDual.of(b, eta).admits(1, added, () -> underWay);
          assertThat(joins).isEqualTo(sumTogether < sumInTurn);
        });
  }
}
