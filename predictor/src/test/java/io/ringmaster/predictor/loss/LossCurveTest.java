package io.ringmaster.predictor.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.testing.Seeds;
import org.junit.jupiter.api.Test;

class LossCurveTest {
  /**
   * l(k) = 1 / (k / 10 + 1): l(0) = 1, l(10) = 1/2, l(20) = 1/3, l(30) = 1/4. It falls by 1/2, 1/6
   * and 1/12 in the ten epochs before 10, 20 and 30.
   */
  @Test
  void flatAndLowByHand() {
    LossCurve curve = new LossCurve(0.1, 1, 0);
    assertThat(curve.flatFrom(10, 1 / 6.0 + 1e-12)).isEqualTo(20);
    assertThat(curve.flatFrom(10, 1 / 6.0 - 1e-12)).isEqualTo(21);
    assertThat(curve.flatFrom(10, 1 / 12.0 + 1e-12)).isEqualTo(30);
    assertThat(curve.flatFrom(10, 0.5)).isEqualTo(10);
    assertThat(curve.flatFrom(10, 0.9)).isEqualTo(10);
    assertThat(curve.below(0.5)).isEqualTo(10);
    assertThat(curve.below(0.4999)).isEqualTo(11);
    assertThat(curve.below(1)).isZero();
    assertThat(new LossCurve(0.1, 1, 0.2).below(0.2)).isInfinite();
    assertThat(new LossCurve(0, 1, 0.2).below(1.1)).isInfinite();
    assertThat(new LossCurve(0, 1, 0.2).flatFrom(10, 0.1)).isEqualTo(10);
  }

  /** Without b1 the loss is infinite at first. */
  @Test
  void noLossAtTheStart() {
    LossCurve curve = new LossCurve(0.1, 0, 0);
    // 10 / (k - 10) - 10 / k <= 0.5 from k = 20 on: 1 - 0.5; at 19: 1.11 - 0.53.
    assertThat(curve.flatFrom(10, 0.5)).isEqualTo(20);
    assertThat(curve.below(2)).isEqualTo(5);
  }

  @Test
  void theFirstWholeEpochAgainstTryingEach() {
    Seeds.each(
        2000,
        (random, seed) -> {
          LossCurve curve =
              new LossCurve(
                  Math.pow(10, -4 + 5 * random.nextDouble()),
                  Math.pow(10, -1 + 2 * random.nextDouble()),
                  random.nextDouble());
          int window = random.nextInt(1, 20);
          double fall = Math.pow(10, -5 + 5 * random.nextDouble());
          int flat = window;
          while (flat < 100_000 && curve.at(flat - window) - curve.at(flat) > fall) {
            flat++;
          }
          double found = curve.flatFrom(window, fall);
          assertThat(flat < 100_000 ? found : 100_000).isEqualTo(flat);
          double target = curve.b2() + Math.pow(10, -3 + 4 * random.nextDouble());
          int low = 0;
          while (low < 100_000 && curve.at(low) > target) {
            low++;
          }
          assertThat(low < 100_000 ? curve.below(target) : 100_000).isEqualTo(low);
        });
  }

  /** No curve with tolerance t of its first loss takes much longer than w + w / (4 t) epochs. */
  @Test
  void theToleranceBoundsTheEpochs() {
    Seeds.each(
        500,
        (random, seed) -> {
          double floor = random.nextDouble();
          LossCurve curve =
              new LossCurve(Math.pow(10, -4 + 6 * random.nextDouble()), 1 / (1 - floor), floor);
          assertThat(curve.flatFrom(10, 0.05)).isLessThanOrEqualTo(60);
          assertThat(curve.flatFrom(10, 0.01)).isLessThanOrEqualTo(260);
        });
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new LossCurve(-1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LossCurve(0, Double.NaN, 0))
        .isInstanceOf(IllegalArgumentException.class);
    for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new LossPoint(bad, 1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new LossPoint(1, bad)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new LossHistory().add(1, bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Convergence.Goal.Flat(0, 0.1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Convergence.Goal.Flat(10, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Convergence.Goal.Target(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Convergence.DEFAULT.withPrior(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Convergence.of(Convergence.Goal.Flat.DEFAULT, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
