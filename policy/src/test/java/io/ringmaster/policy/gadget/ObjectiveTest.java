package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.BadInput;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class ObjectiveTest {
  private static Objective of(String... given) {
    Map<String, String> settings = new HashMap<>();
    for (String each : given) {
      String[] parts = each.split("=", 2);
      settings.put(parts[0], parts[1]);
    }
    return Objective.of(Policies.named("gadget").settings(settings));
  }

  /** Two hours of one worker: half of it is worth 0.5, or an hour. */
  @Test
  void weightsByHand() {
    assertThat(of().gain(7200, 0, 0.5)).isEqualTo(0.5);
    assertThat(of("weight=work").gain(7200, 0, 0.5)).isEqualTo(1);
  }

  /**
   * Four GPUs of 300 W for half an hour take 0.6 kWh. At a price of 2 that is 1.2 GPU-hours; of a
   * job of 6 GPU-hours, a fifth.
   */
  @Test
  void energyByHand() {
    Objective byJob = of("utility=energy", "price=2");
    Objective byWork = of("utility=energy", "price=2", "weight=work");
    assertThat(byJob.cost(6 * 3600, 1200, 1800)).isCloseTo(0.2, within(1e-12));
    assertThat(byWork.cost(6 * 3600, 1200, 1800)).isCloseTo(1.2, within(1e-12));
    assertThat(byJob.isMonotone()).isFalse();
    assertThat(of("utility=energy", "price=0").isMonotone()).isTrue();
    assertThat(of().cost(6 * 3600, 1200, 1800)).isZero();
  }

  /** Of a job that runs on, what it gains less its energy: 0 at first, and concave in time. */
  @Test
  void netOfEnergyIsConcaveAndNothingAtFirst() {
    Seeds.each(
        200,
        (random, seed) -> {
          Objective energy = of("utility=energy", "price=" + random.nextDouble(5));
          double work = random.nextDouble(100, 1e6);
          double share = random.nextDouble();
          double watts = random.nextDouble(70, 5600);
          DoubleUnaryOperator net =
              t -> energy.gain(work, share, share + t / work) - energy.cost(work, watts, t);
          double a = random.nextDouble(work);
          double b = random.nextDouble(work);
          double part = random.nextDouble();
          assertThat(net.applyAsDouble(0)).isZero();
          assertThat(net.applyAsDouble(part * a + (1 - part) * b))
              .isGreaterThanOrEqualTo(
                  part * net.applyAsDouble(a) + (1 - part) * net.applyAsDouble(b) - 1e-9);
        });
  }

  @Test
  void aCurveIsTwoNumbers() {
    assertThat(of("utility=loss", "curve=8,2").utility()).isEqualTo(new Utility.Loss(8, 2));
    for (String bad : new String[] {"8", "8,0", "x,1", "1,2,3"}) {
      assertThatThrownBy(() -> of("curve=" + bad))
          .isInstanceOf(BadInput.class)
          .hasMessageContaining("curve")
          .hasMessageContaining(bad);
    }
  }
}
