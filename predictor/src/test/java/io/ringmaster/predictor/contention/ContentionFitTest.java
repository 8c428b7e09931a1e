package io.ringmaster.predictor.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.ContentionFit.Kind;
import io.ringmaster.predictor.contention.ContentionFit.Subset;
import io.ringmaster.predictor.contention.ContentionLine.Intervals;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentionFitTest {
  private static final double MIB = 1 << 20;
  private static final double A = 6.7e-4;
  private static final double B = 8.5e-10;
  private static final double ETA = 2.4e-10;
  private static final int[] JOBS = {1, 2, 3, 4, 6, 8};
  private static final double[] SIZES = {4 * MIB, 20 * MIB, 100 * MIB};

  private static double seconds(int jobs, double bytes) {
    return A + jobs * B * bytes + (jobs - 1) * ETA * bytes;
  }

  /** The times of the model, each off by a normal error of a share that depends on the jobs. */
  private static List<AllReduceTime> noisy(RandomGenerator random, IntToDoubleFunction share) {
    List<AllReduceTime> times = new ArrayList<>();
    for (int jobs : JOBS) {
      for (double bytes : SIZES) {
        double factor = 1 + share.applyAsDouble(jobs) * random.nextGaussian();
        times.add(new AllReduceTime(jobs, bytes, seconds(jobs, bytes) * factor));
      }
    }
    return times;
  }

  private static List<AllReduceTime> exact() {
    return noisy(new SplittableRandom(1), _ -> 0);
  }

  private static Estimate known(@Nullable Estimate estimate) {
    return Objects.requireNonNull(estimate, "known");
  }

  private static ContentionLine subset(ContentionFit fit, Kind kind) {
    return fit.subsets().stream()
        .filter(s -> s.kind() == kind)
        .map(Subset::line)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void parametersOfExactTimesAreFound() {
    ContentionFit fit = ContentionFit.of(exact());
    ContentionLine line = fit.line();
    assertThat(known(line.a()).value()).isCloseTo(A, within(1e-12 * A + 1e-14));
    assertThat(line.b().value()).isCloseTo(B, within(1e-11 * B));
    assertThat(known(line.eta()).value()).isCloseTo(ETA, within(1e-10 * ETA));
    assertThat(known(line.alpha()).value()).isCloseTo(ETA / B, within(1e-10));
    assertThat(known(line.alpha()).standardError()).isLessThan(1e-9);
    assertThat(known(line.threshold()).value()).isCloseTo(B / (2 * (B + ETA)), within(1e-10));
    assertThat(line.rSquared()).isCloseTo(1, within(1e-12));
    assertThat(line.relativeRmse()).isLessThan(1e-12);
    assertThat(line.points()).isEqualTo(18);
    assertThat(fit.warnings()).isEmpty();
    assertThat(fit.lackOfFit()).isEmpty();
    assertThat(fit.byJobs()).hasSize(6).noneMatch(Residuals::significant);
    for (Subset each : fit.subsets()) {
      assertThat(each.line().relativeRmse()).as(each.kind().name()).isLessThan(0.12);
    }
    assertThat(subset(fit, Kind.ONE_JOB).b().value()).isCloseTo(B, within(1e-11 * B));
  }

  /**
   * Three pairs give three equations. T(1, 10) = 1 + 5 = 6; T(2, 10) = 1 + 10 + 2.5 = 13.5; T(1,
   * 20) = 1 + 10 = 11; so a = 1, b = 0.5, eta = 0.25, alpha = 0.5, threshold 0.5 / 1.5 = 1/3.
   *
   * <p>Each is measured twice, 10 % too short and 10 % too long. The relative squares sum to 3 * 2
   * * 0.01 = 0.06 over 6 - 3 = 3 degrees of freedom: 0.02, and half of that for a mean of two. b =
   * (T(1, 20) - T(1, 10)) / 10 has the variance 0.01 (11^2 + 6^2) / 100 = 0.0157.
   */
  @Test
  void threePairsByHand() {
    List<AllReduceTime> times = new ArrayList<>();
    for (double factor : new double[] {0.9, 1.1}) {
      times.add(new AllReduceTime(1, 10, 6 * factor));
      times.add(new AllReduceTime(2, 10, 13.5 * factor));
      times.add(new AllReduceTime(1, 20, 11 * factor));
    }
    ContentionFit fit = ContentionFit.of(times);
    ContentionLine line = fit.line();
    assertThat(known(line.a()).value()).isCloseTo(1, within(1e-12));
    assertThat(known(line.eta()).value()).isCloseTo(0.25, within(1e-12));
    assertThat(known(line.alpha()).value()).isCloseTo(0.5, within(1e-12));
    assertThat(known(line.threshold()).value()).isCloseTo(1.0 / 3, within(1e-12));
    assertThat(line.b().value()).isCloseTo(0.5, within(1e-12));
    assertThat(line.b().standardError()).isCloseTo(Math.sqrt(0.0157), within(1e-12));
    assertThat(line.b().high()).isCloseTo(0.5 + 3.182446 * Math.sqrt(0.0157), within(1e-6));
    assertThat(line.relativeRmse()).isCloseTo(0.1, within(1e-12));
    assertThat(line.intervals()).isEqualTo(Intervals.ALIKE);
    assertThat(line.pairs()).isEqualTo(3);
    assertThat(line.points()).isEqualTo(6);
    // T(2, 10) / T(1, 10), of means.
    assertThat(fit.degradation()).hasSize(2);
    assertThat(fit.degradation().getLast().measured().value()).isCloseTo(2.25, within(1e-12));
    assertThat(fit.degradation().getLast().fitted()).isCloseTo(2.25, within(1e-12));
    assertThat(fit.degradation().getLast().linear()).isCloseTo(2.5, within(1e-12));
    assertThat(fit.degradation().getLast().alphaHere()).isCloseTo(0.25, within(1e-12));
  }

  @Test
  void asManyTimesAsUnknownsGiveNoIntervals() {
    ContentionFit fit =
        ContentionFit.of(
            List.of(
                new AllReduceTime(1, 10, 6),
                new AllReduceTime(2, 10, 13.5),
                new AllReduceTime(1, 20, 11)));
    assertThat(known(fit.line().alpha()).value()).isCloseTo(0.5, within(1e-12));
    assertThat(known(fit.line().alpha()).hasInterval()).isFalse();
    assertThat(fit.line().b().hasInterval()).isFalse();
    assertThat(fit.warnings()).anyMatch(w -> w.contains("no intervals"));
  }

  /**
   * Among 300 draws about 95 % of the intervals have the true value: more if long times are less
   * sure than thought, fewer if the three times of one job are, on which b and eta hang.
   */
  @ParameterizedTest
  @CsvSource({"alike, 0.93, 0.995", "long times worse, 0.95, 1", "one job worse, 0.85, 0.98"})
  void intervalsHaveTheTrueValueAboutAsOftenAsTheySay(String noise, double least, double most) {
    IntToDoubleFunction share =
        switch (noise) {
          case "alike" -> _ -> 0.05;
          case "long times worse" -> jobs -> 0.005 * jobs;
          default -> jobs -> jobs == 1 ? 0.05 : 0.01;
        };
    int draws = 300;
    int[] covered = new int[4];
    for (long seed = 1; seed <= draws; seed++) {
      ContentionLine line = ContentionFit.of(noisy(new Random(seed), share)).line();
      covered[0] += known(line.a()).mayBe(A) ? 1 : 0;
      covered[1] += line.b().mayBe(B) ? 1 : 0;
      covered[2] += known(line.eta()).mayBe(ETA) ? 1 : 0;
      covered[3] += known(line.alpha()).mayBe(ETA / B) ? 1 : 0;
    }
    for (int parameter = 0; parameter < covered.length; parameter++) {
      assertThat(covered[parameter] / (double) draws)
          .as("share of intervals of parameter %s with the true value, %s", parameter, noise)
          .isBetween(least, most);
    }
  }

  /** Fieller's ends are where (eta - alpha b)^2 is t^2 times its own variance. */
  @Test
  void theIntervalOfAlphaIsFiellers() {
    ContentionLine line = ContentionFit.of(noisy(new Random(7), _ -> 0.1)).line();
    double b = line.b().value();
    Estimate alpha = known(line.alpha());
    double varB = line.b().standardError() * line.b().standardError();
    double varEta = known(line.eta()).standardError() * known(line.eta()).standardError();
    // The delta method's variance of the ratio gives the covariance away.
    double delta = alpha.standardError() * alpha.standardError() * b * b;
    double both = (varEta + alpha.value() * alpha.value() * varB - delta) / (2 * alpha.value());
    // t^2 is not known here, but is the same at both ends.
    double[] squares = new double[2];
    for (int i = 0; i < 2; i++) {
      double end = i == 0 ? alpha.low() : alpha.high();
      double distance = known(line.eta()).value() - end * b;
      squares[i] = distance * distance / (varEta - 2 * end * both + end * end * varB);
    }
    assertThat(squares[0]).isCloseTo(squares[1], within(1e-6)).isGreaterThan(1.96 * 1.96);
    assertThat(alpha.high() - alpha.value()).isGreaterThan(alpha.value() - alpha.low());
    // The threshold falls with alpha.
    assertThat(known(line.threshold()).low()).isEqualTo(1 / (2 * (1 + alpha.high())));
  }

  @Test
  void orderDoesNotMatter() {
    Seeds.each(
        20,
        (random, seed) -> {
          List<AllReduceTime> times = noisy(random, _ -> 0.2);
          times.addAll(noisy(random, _ -> 0.2));
          ContentionFit fit = ContentionFit.of(times);
          Collections.shuffle(times, new Random(seed));
          assertThat(ContentionFit.of(times)).isEqualTo(fit);
        });
  }

  /**
   * Bytes counted in MiB and seconds in ms: parameters change by the units, the rest not at all.
   */
  @Test
  void unitsDoNotMatter() {
    Seeds.each(
        20,
        (random, _) -> {
          List<AllReduceTime> times = noisy(random, _ -> 0.1);
          ContentionFit fit = ContentionFit.of(times);
          ContentionFit other =
              ContentionFit.of(
                  times.stream()
                      .map(t -> new AllReduceTime(t.jobs(), t.bytes() / MIB, t.seconds() * 1000))
                      .toList());
          same(known(other.line().a()), known(fit.line().a()), 1000);
          same(other.line().b(), fit.line().b(), 1000 * MIB);
          same(known(other.line().eta()), known(fit.line().eta()), 1000 * MIB);
          same(known(other.line().alpha()), known(fit.line().alpha()), 1);
          assertThat(other.line().rSquared()).isCloseTo(fit.line().rSquared(), within(1e-9));
          assertThat(other.line().relativeRmse())
              .isCloseTo(fit.line().relativeRmse(), within(1e-9));
          for (int i = 0; i < fit.lackOfFit().size(); i++) {
            assertThat(other.lackOfFit().get(i).pValue())
                .isCloseTo(fit.lackOfFit().get(i).pValue(), within(1e-7));
          }
        });
  }

  private static void same(Estimate actual, Estimate expected, double unit) {
    double tolerance = 1e-6 * unit * (expected.high() - expected.low());
    assertThat(actual.value()).isCloseTo(expected.value() * unit, within(tolerance));
    assertThat(actual.low()).isCloseTo(expected.low() * unit, within(tolerance));
    assertThat(actual.high()).isCloseTo(expected.high() * unit, within(tolerance));
  }

  /** Repeats of a pair count as one mean: the same times twice are not twice as sure. */
  @Test
  void theSameTimesTwiceAreNotSurer() {
    List<AllReduceTime> times = noisy(new Random(3), _ -> 0.1);
    ContentionLine once = ContentionFit.of(times).line();
    times.addAll(List.copyOf(times));
    ContentionLine twice = ContentionFit.of(times).line();
    assertThat(twice.points()).isEqualTo(36);
    same(twice.b(), once.b(), 1);
    same(known(twice.alpha()), known(once.alpha()), 1);
  }

  @Test
  void withoutWeightsLongTimesWouldDecideAlone() {
    double relative = 0;
    double absolute = 0;
    for (long seed = 1; seed <= 50; seed++) {
      ContentionFit fit = ContentionFit.of(noisy(new Random(seed), _ -> 0.05));
      relative += Math.abs(fit.line().b().value() - B);
      absolute += Math.abs(subset(fit, Kind.ABSOLUTE_ERRORS).b().value() - B);
    }
    assertThat(relative).isLessThan(absolute / 2);
  }

  @Test
  void oneNumberOfJobsGivesNoEta() {
    List<AllReduceTime> alone = exact().stream().filter(t -> t.jobs() == 1).toList();
    ContentionFit fit = ContentionFit.of(alone);
    assertThat(fit.line().eta()).isNull();
    assertThat(fit.line().alpha()).isNull();
    assertThat(fit.line().threshold()).isNull();
    assertThat(fit.line().b().value()).isCloseTo(B, within(1e-10 * B));
    assertThat(known(fit.line().a()).value()).isCloseTo(A, within(1e-10));
    assertThat(fit.warnings()).anyMatch(w -> w.contains("eta and alpha cannot be found"));

    List<AllReduceTime> four = exact().stream().filter(t -> t.jobs() == 4).toList();
    assertThatThrownBy(() -> ContentionFit.of(four))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "every measurement is of 4 jobs, which does not tell b and eta apart; measure 1 job"
                + " too");
  }

  /** With a taken as 0, b is a / M + b, and b + eta stays what it is. */
  @Test
  void oneSizeGivesNoA() {
    List<AllReduceTime> one = exact().stream().filter(t -> t.bytes() == SIZES[0]).toList();
    ContentionFit fit = ContentionFit.of(one);
    double b = A / SIZES[0] + B;
    assertThat(fit.line().a()).isNull();
    assertThat(fit.line().b().value()).isCloseTo(b, within(1e-10 * b));
    assertThat(known(fit.line().alpha()).value())
        .isCloseTo((B + ETA) / b - 1, within(1e-9))
        .isLessThan(ETA / B);
    assertThat(fit.warnings()).anyMatch(w -> w.contains("a cannot be told from b M"));
  }

  @Test
  void tooFewOrUselessPairsAreRefused() {
    AllReduceTime one = new AllReduceTime(1, 10, 6);
    AllReduceTime two = new AllReduceTime(2, 10, 13.5);
    assertThatThrownBy(() -> ContentionFit.of(List.of(one, two, one)))
        .isInstanceOf(BadInput.class)
        .hasMessage("2 different pairs of jobs and bytes; at least 3 are needed to fit");
    assertThatThrownBy(() -> ContentionFit.of(List.of())).hasMessageContaining("0 different pairs");
    // Jobs times bytes is 40 in all three: k M tells nothing that the constant does not.
    assertThatThrownBy(() ->
            ContentionFit.of(
                List.of(
                    new AllReduceTime(1, 40, 6),
                    new AllReduceTime(2, 20, 7),
                    new AllReduceTime(4, 10, 8))))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("measure each number of jobs with each size");
    assertThatThrownBy(() ->
            ContentionFit.of(
                List.of(
                    new AllReduceTime(1, 10, 1),
                    new AllReduceTime(2, 10, 1e-9),
                    new AllReduceTime(1, 20, 1e8),
                    new AllReduceTime(2, 20, 4),
                    new AllReduceTime(3, 50, 7))))
        .isInstanceOf(BadInput.class)
        .hasMessage("the times differ too much for one line; is a unit wrong?");
  }

  @Test
  void valuesThatNoMeasurementHasAreRefused() {
    assertThatThrownBy(() -> new AllReduceTime(0, 1, 1)).hasMessageContaining("jobs: 0");
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new AllReduceTime(1, bad, 1))
          .isInstanceOf(BadInput.class)
          .hasMessage("bytes: " + bad + " is not a number above 0");
      assertThatThrownBy(() -> new AllReduceTime(1, 1, bad))
          .isInstanceOf(BadInput.class)
          .hasMessage("seconds: " + bad + " is not a number above 0");
    }
  }
}
