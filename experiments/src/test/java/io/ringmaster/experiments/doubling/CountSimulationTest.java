package io.ringmaster.experiments.doubling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CountSimulationTest {
  private static final Strategy WITHOUT_HYSTERESIS =
      new Strategy("doubling", "doubling", Map.of("hysteresis", "0"), 0);

  /** The policy, with its placements and its heap, does what the plain rule says. */
  @Test
  void policyAgreesWithThePlainRule() {
    for (Contention contention : Contention.values()) {
      agree(DoublingSetting.of(contention));
      agree(DoublingSetting.of(contention).withLogNormalLengths());
      agree(DoublingSetting.of(contention).withRestarts(60));
    }
  }

  private static void agree(DoublingSetting setting) {
    for (long seed = 1; seed <= 3; seed++) {
      DoublingWorkload draw = new DoublingWorkload(seed, setting);
      double plain =
          new CountSimulation(draw.arrivalSeconds(), draw.epochs(), setting.restartSeconds())
              .completionHours();
      assertThat(new DoublingCell(setting, WITHOUT_HYSTERESIS).completionHours(seed))
          .as("%s, draw %d", setting, seed)
          .isCloseTo(plain, within(1e-6));
    }
  }

  /**
   * One job alone has 8 workers at once: 160 epochs of 29.6 s. A second one, 1000 s later, has 8 as
   * well, since there are 64 GPUs; nobody restarts.
   */
  @Test
  void jobsWithRoomHaveEightWorkers() {
    double hours =
        new CountSimulation(new double[] {0, 1000}, new double[] {160, 160}, 10).completionHours();
    assertThat(hours).isCloseTo(160 * 29.6 / 3600, within(1e-12));
  }
}
