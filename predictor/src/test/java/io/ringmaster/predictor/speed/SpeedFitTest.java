package io.ringmaster.predictor.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class SpeedFitTest {
  private static final double[] BATCHES = {8, 24, 64};
  private static final int[][] PLACES = {
    {1, 1, 1},
    {2, 1, 2},
    {3, 1, 3},
    {4, 1, 4},
    {8, 1, 8},
    {2, 2, 1},
    {3, 2, 2},
    {4, 2, 2},
    {4, 2, 3},
    {6, 3, 2},
    {8, 2, 4},
    {8, 4, 2},
    {12, 3, 4},
    {16, 4, 4},
    {16, 2, 8}
  };

  /**
   * Seconds per epoch 138, 81.9, 47.25, 29.6 with 1, 2, 4, 8 workers, so w times as much for the
   * iterations that one worker does in an epoch: 138, 163.8, 189, 236.8. With s = startup, a =
   * share, b = step: s + a/2 + b = 25.8; s + 3a/4 + 3b = 51; s + 7a/8 + 7b = 98.8. Differences: a/4
   * + 2b = 25.2, a/8 + 4b = 47.8, so 6b = 70.4, b = 11.7333, a = 4 (25.2 - 23.4667) = 6.9333, s =
   * 25.8 - 3.4667 - 11.7333 = 10.6.
   */
  @Test
  void findsTheTimesOfThePaper() {
    SpeedFit fit =
        placed(List.of(inside(1, 138), inside(2, 163.8), inside(4, 189), inside(8, 236.8)));
    assertThat(fit.backwardSeconds()).isCloseTo(138, within(1e-7));
    assertThat(fit.forwardSecondsPerSample()).isZero();
    assertThat(fit.exchange().startupSeconds()).isCloseTo(10.6, within(1e-7));
    assertThat(fit.exchange().insideShareSeconds()).isCloseTo(6.0 + 14 / 15.0, within(1e-7));
    assertThat(fit.exchange().insideStepSeconds()).isCloseTo(11.0 + 11 / 15.0, within(1e-7));
    assertThat(fit.exchange().overlap()).isEqualTo(1);
    assertThat(fit.seconds(8, 1, 8, 1)).isCloseTo(236.8, within(1e-7));
    // Nothing to spare, so no interval.
    assertThat(fit.estimate(4, 1, 4, 1).hasInterval()).isFalse();
  }

  @Test
  void findsWhatTimesWithoutNoiseWereMadeFrom() {
    Seeds.each(
        100,
        (random, _) -> {
          AllReduce allReduce = any(random);
          double overlap = random.nextInt(3) == 0 ? 1 : 1 + 3 * random.nextDouble();
          FittedExchange exchange = exchange(random, allReduce, overlap);
          double compute = 0.01 + 0.05 * random.nextDouble();
          double perSample = 0.0005 + 0.002 * random.nextDouble();
          SpeedFit fit =
              SpeedFit.of(times(exchange, compute, perSample), SpeedForm.PLACED, allReduce);
          close(fit.backwardSeconds(), compute);
          close(fit.forwardSecondsPerSample(), perSample);
          close(fit.exchange().overlap(), overlap);
          close(fit.exchange().startupSeconds(), exchange.startupSeconds());
          close(fit.exchange().insideShareSeconds(), exchange.insideShareSeconds());
          close(fit.exchange().insideStepSeconds(), exchange.insideStepSeconds());
          close(fit.exchange().acrossShareSeconds(), exchange.acrossShareSeconds());
          close(fit.exchange().acrossStepSeconds(), exchange.acrossStepSeconds());
          close(fit.exchange().neighbourSeconds(), exchange.neighbourSeconds());
          assertThat(fit.undetermined()).isEmpty();
        });
  }

  @Test
  void findsThePapersFormToo() {
    Seeds.each(
        100,
        (random, _) -> {
          AllReduce allReduce = any(random);
          double share = 0.01 + random.nextDouble();
          double step = 0.01 + random.nextDouble();
          FittedExchange exchange = FittedExchange.anywhere(allReduce, 0, share, step);
          double compute = 0.1 + random.nextDouble();
          double perSample = 0.01 * (1 + random.nextDouble());
          SpeedFit fit =
              SpeedFit.of(times(exchange, compute, perSample), SpeedForm.PAPER, allReduce);
          close(fit.backwardSeconds(), compute);
          close(fit.forwardSecondsPerSample(), perSample);
          close(fit.exchange().insideShareSeconds(), share);
          close(fit.exchange().acrossStepSeconds(), step);
          assertThat(fit.exchange().startupSeconds()).isZero();
          assertThat(fit.undetermined()).isEmpty();
        });
  }

  @Test
  void oneNumberOfWorkersTellsTheComputationAlone() {
    SpeedFit fit = placed(List.of(inside(2, 3), inside(2, 5)));
    assertThat(fit.points()).containsExactly(inside(2, 4));
    assertThat(fit.seconds(1, 1, 1, 1)).isCloseTo(4, within(1e-12));
    assertThat(fit.seconds(64, 8, 8, 1)).isCloseTo(4, within(1e-12));
    assertThat(fit.undetermined()).contains(SpeedParameter.INSIDE_SHARE, SpeedParameter.OVERLAP);
    assertThat(fit.estimate(4, 1, 4, 1).hasInterval()).isFalse();
  }

  /** Share of two workers: 1/2, so 4 of 1 + 4/2 = 3. Eight: 1 + 4 * 7/8 = 4.5. */
  @Test
  void twoNumbersOfWorkersTellTheShareToo() {
    SpeedFit fit = placed(List.of(inside(1, 1), inside(2, 3)));
    assertThat(fit.exchange().insideShareSeconds()).isCloseTo(4, within(1e-9));
    assertThat(fit.exchange().acrossShareSeconds()).isCloseTo(4, within(1e-9));
    assertThat(fit.seconds(8, 1, 8, 1)).isCloseTo(4.5, within(1e-9));
    assertThat(fit.seconds(8, 2, 4, 1)).isCloseTo(4.5, within(1e-9));
    assertThat(fit.undetermined())
        .contains(
            SpeedParameter.INSIDE_SHARE, SpeedParameter.INSIDE_STEP, SpeedParameter.ACROSS_STEP);
  }

  /** 1 + a/2 + b = 3, 1 + 3a/4 + 3b = 6: a + 2b = 4, 3a + 12b = 20; 6b = 8; b = 4/3, a = 4/3. */
  @Test
  void threeTellTheStep() {
    SpeedFit fit = placed(List.of(inside(1, 1), inside(2, 3), inside(4, 6)));
    assertThat(fit.exchange().insideStepSeconds()).isCloseTo(4 / 3.0, within(1e-9));
    assertThat(fit.exchange().insideShareSeconds()).isCloseTo(4 / 3.0, within(1e-9));
    assertThat(fit.exchange().startupSeconds()).isZero();
    assertThat(fit.undetermined()).contains(SpeedParameter.STARTUP);
  }

  /** A step for each class needs two numbers of workers there; else it is the same in both. */
  @Test
  void aClassWithOneNumberOfWorkersBorrowsTheStep() {
    SpeedFit fit =
        placed(List.of(inside(1, 1), inside(2, 3), inside(4, 6), new StepTime(4, 2, 2, 1, 8)));
    assertThat(fit.exchange().acrossStepSeconds())
        .isEqualTo(fit.exchange().insideStepSeconds())
        .isCloseTo(4 / 3.0, within(1e-9));
    assertThat(fit.exchange().acrossShareSeconds()).isCloseTo(4, within(1e-9));
    assertThat(fit.undetermined())
        .contains(SpeedParameter.INSIDE_STEP, SpeedParameter.ACROSS_STEP)
        .doesNotContain(SpeedParameter.ACROSS_SHARE);
  }

  /** 64 samples among w workers, 0.1 s each, share 2: constants are sums of both. */
  @Test
  void aFixedNumberOfSamplesDoesNotTellTheConstant() {
    List<StepTime> times = new ArrayList<>();
    for (int w : new int[] {1, 2, 4, 8}) {
      double batch = 64.0 / w;
      double seconds = 0.1 * batch + 2 * AllReduce.RING.share(w) + 0.3 * (w - 1);
      times.add(new StepTime(w, 1, w, batch, seconds));
    }
    SpeedFit fit = SpeedFit.of(times, SpeedForm.PAPER, AllReduce.RING);
    assertThat(fit.undetermined()).containsExactly(SpeedParameter.COMPUTE);
    assertThat(fit.forwardSecondsPerSample()).isCloseTo(0.1, within(1e-9));
    assertThat(fit.exchange().insideShareSeconds()).isCloseTo(2, within(1e-8));
    assertThat(fit.exchange().insideStepSeconds()).isCloseTo(0.3, within(1e-9));
  }

  /** 2 (w - 1) / w exactly: nothing is left for the computation, which must take some time. */
  @Test
  void thereIsAlwaysSomeComputation() {
    SpeedFit fit = placed(List.of(inside(2, 1), inside(4, 1.5), inside(8, 1.75)));
    assertThat(fit.seconds(1, 1, 1, 1)).isPositive();
    assertThat(fit.seconds(8, 1, 8, 1)).isCloseTo(1.75, Percentage.withPercentage(2));
    assertThat(fit.computeSeconds(1)).isPositive();
  }

  @Test
  void anythingPositiveIsFitted() {
    Seeds.each(
        200,
        (random, _) -> {
          List<StepTime> times = new ArrayList<>();
          int count = 1 + random.nextInt(12);
          for (int i = 0; i < count; i++) {
            int[] place = PLACES[random.nextInt(PLACES.length)];
            double batch = random.nextBoolean() ? 8 : BATCHES[random.nextInt(BATCHES.length)];
            double seconds = StrictMath.exp(8 * random.nextGaussian());
            times.add(new StepTime(place[0], place[1], place[2], batch, seconds));
          }
          SpeedForm form = random.nextBoolean() ? SpeedForm.PLACED : SpeedForm.PAPER;
          SpeedFit fit = SpeedFit.of(times, form, any(random));
          for (int[] place : PLACES) {
            double seconds = fit.seconds(place[0], place[1], place[2], 20);
            assertThat(seconds).isPositive().isFinite();
            Estimate estimate = fit.estimate(place[0], place[1], place[2], 20);
            assertThat(estimate.value()).isEqualTo(seconds);
            assertThat(estimate.low() > seconds || estimate.high() < seconds).isFalse();
          }
          fit.parameters().values().forEach(p -> assertThat(p.value()).isNotNegative().isFinite());
          // More workers in the same kind of place, with the same neighbours, are never faster.
          if (fit.exchange().allReduce() == AllReduce.RING) {
            assertThat(fit.seconds(8, 1, 8, 20))
                .isGreaterThanOrEqualTo(fit.seconds(4, 1, 4, 20) * (1 - 1e-12));
          }
        });
  }

  @Test
  void theOrderOfMeasurementsDoesNotMatter() {
    Seeds.each(
        50,
        (random, seed) -> {
          List<StepTime> times = new ArrayList<>(noisy(random, 0.05));
          times.addAll(noisy(random, 0.05));
          SpeedFit fit = placed(times);
          List<StepTime> shuffled = new ArrayList<>(times);
          Collections.shuffle(shuffled, new Random(seed));
          assertThat(placed(shuffled).parameters()).isEqualTo(fit.parameters());
        });
  }

  @Test
  void intervalsHaveTheTruthMostly() {
    int[] hits = new int[3];
    int[] all = new int[1];
    Seeds.each(
        100,
        (random, _) -> {
          SpeedFit fit = placed(noisy(random, 0.05));
          StepTime truth = truth(10, 3, 4, 48);
          Estimate estimate = fit.estimate(10, 3, 4, 48);
          double noisy = truth.seconds() * StrictMath.exp(0.05 * random.nextGaussian());
          all[0]++;
          hits[0] += estimate.mayBe(noisy) ? 1 : 0;
          hits[1] += at(fit, SpeedParameter.SECONDS_PER_SAMPLE).mayBe(0.001) ? 1 : 0;
          hits[2] += at(fit, SpeedParameter.ACROSS_SHARE).mayBe(0.09) ? 1 : 0;
        });
    if (all[0] > 1) {
      for (int hit : hits) {
        assertThat(hit / (double) all[0]).isBetween(0.85, 1.0);
      }
    }
  }

  @Test
  void whatWasNeverMeasuredAcrossServersHasNoInterval() {
    List<StepTime> times = new ArrayList<>();
    for (int w = 1; w <= 8; w++) {
      times.add(inside(w, 1 + 0.1 * w + 0.01 * (w % 3)));
    }
    SpeedFit fit = placed(times);
    assertThat(fit.estimate(6, 1, 6, 1).hasInterval()).isTrue();
    assertThat(fit.estimate(6, 2, 3, 1).hasInterval()).isFalse();
  }

  @Test
  void nothingMeasuredIsNoFit() {
    assertThatThrownBy(() -> placed(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThat(SpeedFit.unknown(AllReduce.RING).seconds(7, 2, 4, 30)).isEqualTo(1);
    assertThatThrownBy(() -> new StepTime(4, 2, 4, 1, 1))
        .hasMessage("no placement: 4 workers on 2 servers, at most 4 on one");
    assertThatThrownBy(() -> new StepTime(1, 1, 1, 1, 0)).hasMessageContaining("above 0");
  }

  private static AllReduce any(RandomGenerator random) {
    List<AllReduce> all = List.of(AllReduce.values());
    return all.get(random.nextInt(all.size()));
  }

  private static SpeedFit placed(List<StepTime> times) {
    return SpeedFit.of(times, SpeedForm.PLACED, AllReduce.RING);
  }

  private static StepTime inside(int workers, double seconds) {
    return new StepTime(workers, 1, workers, 1, seconds);
  }

  private static Estimate at(SpeedFit fit, SpeedParameter parameter) {
    return fit.parameters().getOrDefault(parameter, new Estimate(0, 0, 0, 0));
  }

  private static void close(double found, double truth) {
    assertThat(found).isCloseTo(truth, within(1e-6 * truth));
  }

  private static FittedExchange exchange(
      RandomGenerator random, AllReduce allReduce, double overlap) {
    double[] x = random.doubles(6, 0.01, 0.06).toArray();
    return new FittedExchange(
        allReduce, overlap, x[0], x[1], x[2] / 4, 2 * x[3], x[4] / 2, x[5] / 4);
  }

  private static List<StepTime> times(FittedExchange exchange, double compute, double perSample) {
    List<StepTime> times = new ArrayList<>();
    for (int[] place : PLACES) {
      for (double batch : BATCHES) {
        double exchanging =
            place[1] > 1
                ? exchange.acrossSeconds(place[0], place[2])
                : exchange.insideSeconds(place[0]);
        double seconds = exchange.together(compute + perSample * batch, exchanging);
        times.add(new StepTime(place[0], place[1], place[2], batch, seconds));
      }
    }
    return times;
  }

  private static StepTime truth(int workers, int servers, int most, double batch) {
    FittedExchange exchange =
        new FittedExchange(AllReduce.RING, 1.5, 0.01, 0.03, 0.004, 0.09, 0.01, 0.006);
    double exchanging =
        servers > 1 ? exchange.acrossSeconds(workers, most) : exchange.insideSeconds(workers);
    return new StepTime(
        workers, servers, most, batch, exchange.together(0.02 + 0.001 * batch, exchanging));
  }

  private static List<StepTime> noisy(RandomGenerator random, double noise) {
    List<StepTime> times = new ArrayList<>();
    for (int[] place : PLACES) {
      for (double batch : BATCHES) {
        StepTime time = truth(place[0], place[1], place[2], batch);
        times.add(time.taking(time.seconds() * StrictMath.exp(noise * random.nextGaussian())));
      }
    }
    return times;
  }
}
