package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class UtilityTest {
  private static final double ROUNDING = 1e-12;

  private static List<Utility> drawn(RandomGenerator random) {
    return List.of(
        new Utility.Progress(),
        new Utility.Saturating(Math.pow(10, random.nextDouble(-3, 2))),
        new Utility.Loss(
            Math.pow(10, random.nextDouble(-3, 3)), Math.pow(10, random.nextDouble(-3, 3))),
        new Utility.Fair(random.nextInt(4) == 0 ? 1 : random.nextDouble(5)));
  }

  @Test
  void startsAtNothingNeverFallsAndRisesEverMoreSlowly() {
    Seeds.each(
        300,
        (random, seed) -> {
          for (Utility utility : drawn(random)) {
            assertThat(utility.of(0)).as(utility.toString()).isZero();
            double a = random.nextDouble();
            double b = random.nextDouble();
            double low = utility.of(Math.min(a, b));
            double high = utility.of(Math.max(a, b));
            assertThat(high).as(utility.toString()).isGreaterThanOrEqualTo(low - ROUNDING);
            double part = random.nextDouble();
            double mixed = utility.of(part * a + (1 - part) * b);
            assertThat(mixed)
                .as(utility + " between " + a + " and " + b)
                .isGreaterThanOrEqualTo(
                    part * utility.of(a) + (1 - part) * utility.of(b) - ROUNDING);
          }
        });
  }

  @Test
  void nothingIsGainedBeyondTheWork() {
    Seeds.each(
        50,
        (random, seed) -> {
          for (Utility utility : drawn(random)) {
            assertThat(utility.of(1 + random.nextDouble())).isEqualTo(utility.of(1));
          }
        });
  }

  /** (1 - e^-1.5) / (1 - e^-3) = 0.77687 / 0.95021. */
  @Test
  void byHand() {
    assertThat(new Utility.Progress().of(0.3)).isEqualTo(0.3);
    assertThat(new Utility.Saturating(3).of(0.5)).isCloseTo(0.817574, within(1e-6));
    assertThat(new Utility.Saturating(3).of(1)).isCloseTo(1, within(ROUNDING));
    assertThat(new Utility.Fair(1).of(1)).isCloseTo(Math.log(2), within(ROUNDING));
    // (1.5^-1 - 1) / -1 = 1 - 2/3
    assertThat(new Utility.Fair(2).of(0.5)).isCloseTo(1 / 3.0, within(ROUNDING));
    assertThat(new Utility.Fair(0).of(0.4)).isCloseTo(0.4, within(ROUNDING));
  }

  /**
   * Loss 1 / (20 x + 1) + 0.1: 1.1 at first, 0.190909 after a half, 0.147619 at the end. Of the
   * whole fall of 0.952381, 0.909091 are done at a half.
   */
  @Test
  void lossByHand() {
    assertThat(new Utility.Loss(20, 1).of(0.5)).isCloseTo(0.909091 / 0.952381, within(1e-6));
    assertThat(new Utility.Loss(20, 1).of(1)).isCloseTo(1, within(ROUNDING));
  }

  @Test
  void fairTendsToItsLimit() {
    assertThat(new Utility.Fair(1 + 1e-9).of(0.7))
        .isCloseTo(new Utility.Fair(1).of(0.7), within(1e-8));
  }
}
