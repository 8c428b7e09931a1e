package io.ringmaster.predictor.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossFitTest {
  private static List<LossPoint> points(double... losses) {
    List<LossPoint> points = new ArrayList<>();
    for (int i = 0; i < losses.length; i++) {
      points.add(new LossPoint(i + 1, losses[i]));
    }
    return points;
  }

  private static LossCurve curve(LossFit fit) {
    return Objects.requireNonNull(fit.curve(), "curve");
  }

  @Test
  void pointsWithoutNoiseGiveTheirCurveBack() {
    Seeds.each(
        500,
        (random, seed) -> {
          LossCurve truth =
              new LossCurve(
                  Math.pow(10, -2 + 2 * random.nextDouble()),
                  0.2 + 2 * random.nextDouble(),
                  random.nextInt(4) == 0 ? 0 : random.nextDouble());
          int n = random.nextInt(5, 200);
          LossFit fit = LossFit.of(Curves.reports(truth, n, 0, random));
          assertThat(curve(fit).b0()).isCloseTo(truth.b0(), within(1e-6));
          assertThat(curve(fit).b1()).isCloseTo(truth.b1(), within(1e-6));
          assertThat(curve(fit).b2()).isCloseTo(truth.b2(), within(1e-6));
          assertThat(fit.relativeRmse()).isLessThan(1e-8);
          assertThat(fit.falls()).isTrue();
        });
  }

  /**
   * In 5 5 9 4 3 1 2.5 2, 9 is above 5 and 4, and becomes 4.5; 1 is below 3 and 2.5 by 1.5, and
   * becomes 2.75; 2.5 is above 1 and 2 by 0.5 only because of the 1, and stays. The ends stay, and
   * so does what equals a neighbour.
   */
  @Test
  void outliersByHand() {
    Losses losses = Losses.of(points(5, 5, 9, 4, 3, 1, 2.5, 2));
    assertThat(losses.withoutOutliers()).containsExactly(5, 5, 4.5, 4, 3, 2.75, 2.5, 2);
    assertThat(Losses.of(points(1, 7)).withoutOutliers()).containsExactly(1, 7);
    assertThat(Losses.of(List.of()).withoutOutliers()).isEmpty();
    LossCurve smooth = new LossCurve(0.1, 1, 0.3);
    List<LossPoint> exact = Curves.reports(smooth, 50, 0, new SplittableRandom(1));
    assertThat(Losses.of(exact).withoutOutliers())
        .containsExactly(exact.stream().mapToDouble(LossPoint::loss).toArray());
  }

  /** One wild loss in the middle of a smooth curve changes the curve little. */
  @Test
  void aSpikeIsNoMatter() {
    LossCurve truth = new LossCurve(0.05, 1, 0.2);
    List<LossPoint> points = Curves.reports(truth, 40, 0, new SplittableRandom(1));
    points.set(20, new LossPoint(21, 50));
    assertThat(curve(LossFit.of(points)).b0()).isCloseTo(0.05, within(0.001));
    assertThat(LossFit.of(points).greatestLoss()).isCloseTo(truth.at(1), within(1e-12));
  }

  @Test
  void theOrderOfPointsIsNoMatter() {
    Seeds.each(
        50,
        (random, seed) -> {
          LossCurve truth = Curves.flatFrom(60, 0.01, 0.1);
          List<LossPoint> points =
              new ArrayList<>(Curves.reports(truth, random.nextInt(3, 100), 0.05, random));
          points.add(new LossPoint(2, 0.9));
          LossHistory history = new LossHistory();
          LossFit sorted = LossFit.of(points);
          Collections.shuffle(points, new Random(seed));
          points.forEach(p -> history.add(p.epoch(), p.loss()));
          assertThat(curve(LossFit.of(points))).isEqualTo(curve(sorted));
          // The mean of two points of an epoch may differ in the last digit.
          assertThat(curve(history.fit()).b0()).isCloseTo(curve(sorted).b0(), within(1e-9));
          assertThat(history.fit().epochsDone()).isEqualTo(sorted.epochsDone());
        });
  }

  @Test
  void unitsAreNoMatter() {
    Seeds.each(
        50,
        (random, seed) -> {
          List<LossPoint> points = Curves.reports(Curves.flatFrom(90, 0.01, 0.2), 30, 0.02, random);
          List<LossPoint> large =
              points.stream().map(p -> new LossPoint(p.epoch(), 1024 * p.loss())).toList();
          Convergence convergence = Convergence.of(new Convergence.Goal.Flat(10, 0.01), 200);
          assertThat(LossFit.of(large).forecast(convergence))
              .isEqualTo(LossFit.of(points).forecast(convergence));
        });
  }

  @Test
  void fewPointsAreAGuess() {
    LossForecast none = LossFit.of(List.of()).forecast(Convergence.DEFAULT);
    assertThat(none).isEqualTo(new LossForecast(0, 20, false, false));
    Convergence prior = Convergence.DEFAULT.withPrior(70);
    assertThat(LossFit.of(List.of()).forecast(prior).totalEpochs()).isEqualTo(70);
    List<LossPoint> two = points(1, 0.8);
    assertThat(LossFit.of(two).forecast(Convergence.DEFAULT).totalEpochs()).isEqualTo(22);
    assertThat(LossFit.of(two).forecast(prior).totalEpochs()).isEqualTo(70);
    assertThat(LossFit.of(two).curve()).isNull();
    assertThat(LossFit.of(two).relativeRmse()).isNaN();
    Estimate wide = LossFit.of(two).remaining(prior);
    assertThat(wide.value()).isEqualTo(68);
    assertThat(wide.low()).isZero();
    assertThat(wide.high()).isEqualTo(198);
    // Three reports of two epochs are two points.
    List<LossPoint> same = List.of(two.getFirst(), two.getLast(), new LossPoint(2, 0.6));
    assertThat(LossFit.of(same).forecast(Convergence.DEFAULT).fitted()).isFalse();
    // More than the most, and yet under way.
    List<LossPoint> late = List.of(new LossPoint(300, 1));
    assertThat(LossFit.of(late).forecast(prior).remainingEpochs()).isZero();
  }

  @Test
  void threePointsAreACurve() {
    LossFit fit = LossFit.of(points(1, 0.6, 0.5));
    assertThat(fit.forecast(Convergence.DEFAULT).fitted()).isTrue();
    Estimate remaining = fit.remaining(Convergence.DEFAULT);
    // It goes through all of them: nothing says how far it may be off.
    assertThat(remaining.low()).isZero();
    assertThat(remaining.high()).isEqualTo(197);
  }

  @Test
  void lossesThatRiseSayNothing() {
    LossFit fit = LossFit.of(points(1, 1.2, 1.5, 1.9, 2.4));
    assertThat(fit.falls()).isFalse();
    assertThat(fit.forecast(Convergence.DEFAULT)).isEqualTo(new LossForecast(5, 25, false, false));
    assertThat(fit.convergenceEpoch(Convergence.Goal.Flat.DEFAULT)).isNaN();
    // A prior is for few points; these have shown what they do.
    assertThat(fit.forecast(Convergence.DEFAULT.withPrior(90)).totalEpochs()).isEqualTo(25);
  }

  /** As soon as there is a window of epochs. */
  @Test
  void lossesThatDoNotMoveHaveConverged() {
    for (double loss : new double[] {0, 0.7, 1e-300, 1e300}) {
      LossForecast forecast =
          LossFit.of(points(loss, loss, loss, loss)).forecast(Convergence.DEFAULT);
      assertThat(forecast).as("loss %s", loss).isEqualTo(new LossForecast(4, 10, true, false));
      assertThat(LossFit.of(points(loss, loss, loss, loss)).remaining(Convergence.DEFAULT).high())
          .isEqualTo(6);
    }
    // But not if a target is still below them.
    Convergence target = Convergence.of(new Convergence.Goal.Target(0.5), 200);
    assertThat(LossFit.of(points(0.7, 0.7, 0.7)).forecast(target).totalEpochs()).isEqualTo(23);
    assertThat(LossFit.of(points(0.4, 0.4, 0.4)).forecast(target).totalEpochs()).isEqualTo(3);
  }

  @Test
  void aLossOfNothingIsALoss() {
    LossFit fit = LossFit.of(points(1, 0.5, 0.2, 0, 0, 0));
    assertThat(curve(fit).b2()).isZero();
    assertThat(fit.forecast(Convergence.DEFAULT).totalEpochs()).isBetween(6.0, 60.0);
  }

  /** l(k) = 1 / (k + 1) + 0.1: below 0.2 from 9 on; below 0.1 never. */
  @Test
  void aTargetAndTheMost() {
    List<LossPoint> points =
        Curves.reports(new LossCurve(1, 1, 0.1), 6, 0, new SplittableRandom(1));
    Convergence near = Convergence.of(new Convergence.Goal.Target(0.2 + 1e-9), 200);
    assertThat(LossFit.of(points).forecast(near)).isEqualTo(new LossForecast(6, 9, true, false));
    Convergence never = Convergence.of(new Convergence.Goal.Target(0.05), 150);
    assertThat(LossFit.of(points).forecast(never)).isEqualTo(new LossForecast(6, 150, true, true));
    assertThat(LossFit.of(points).convergenceEpoch(never.goal())).isInfinite();
    Convergence passed = Convergence.of(new Convergence.Goal.Target(0.5), 150);
    assertThat(LossFit.of(points).forecast(passed)).isEqualTo(new LossForecast(6, 6, true, false));
  }

  @Test
  void longHistoriesAreThinned() {
    LossCurve truth = new LossCurve(0.002, 1, 0.2);
    LossHistory history = new LossHistory();
    SplittableRandom random = new SplittableRandom(5);
    for (int k = 0; k < 100_000; k++) {
      history.add(k / 50.0, truth.at(k / 50.0) * (1 + 0.05 * random.nextGaussian()));
    }
    assertThat(history.size()).isBetween(256, 512);
    assertThat(history.fit().epochsDone()).isEqualTo(99_999 / 50.0);
    assertThat(curve(history.fit()).b0()).isCloseTo(0.002, within(0.0001));
    assertThat(curve(history.fit()).b2()).isCloseTo(0.2, within(0.01));
    assertThat(history.fit()).isSameAs(history.fit());
  }

  @Test
  void theSamePointsGiveTheSameInterval() {
    List<LossPoint> points =
        Curves.reports(Curves.flatFrom(80, 0.01, 0.1), 30, 0.02, new SplittableRandom(2));
    Convergence convergence = Convergence.of(new Convergence.Goal.Flat(10, 0.01), 200);
    assertThat(LossFit.of(points).remaining(convergence))
        .isEqualTo(LossFit.of(points).remaining(convergence));
  }

  /**
   * Of nominal 95 % intervals, with few points and with many; docs/fitting-loss.md has the shares.
   */
  @ParameterizedTest(name = "{0} points, noise {1}")
  @CsvSource({"10, 0.02", "10, 0.05", "20, 0.02", "40, 0.02", "40, 0.05", "80, 0.05"})
  void mostIntervalsHaveTheTruth(int points, double sigma) {
    int runs = 150;
    int hits = 0;
    Convergence convergence = Convergence.of(new Convergence.Goal.Flat(10, 0.01), 200);
    for (long seed = 1; seed <= runs; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int flat = (int) (40 * Math.pow(4, random.nextDouble()));
      LossCurve truth = Curves.flatFrom(flat - 0.5, 0.01, 0.3 * random.nextDouble());
      Estimate remaining =
          LossFit.of(Curves.reports(truth, points, sigma, random)).remaining(convergence);
      hits += remaining.mayBe(Math.max(0, flat - points)) ? 1 : 0;
    }
    assertThat(hits / (double) runs).isBetween(0.8, 1.0);
  }
}
