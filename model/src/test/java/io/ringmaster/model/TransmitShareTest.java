package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rings of two workers on two servers exchange 1 GB x 1/2 x 2 at 1 GB/s: one second alone. All else
 * takes as long as the model says.
 */
class TransmitShareTest {
  private static final Offset<Double> EXACT = within(1e-12);
  private static final Placement FIRST = Placement.of(new int[] {0, 1}, new int[] {1, 1});

  private static ModelProfile computing(double seconds) {
    return new ModelProfile("c" + seconds, 1e9, 1, 0, seconds, "test");
  }

  private static Cluster cluster(Function<RingTerms, Network> model, double alpha) {
    List<Server> servers =
        IntStream.range(0, 4)
            .mapToObj(i -> new Server("s" + i, 8, "v100", "r1", 1e9, 4e9))
            .toList();
    return new Cluster(
        "test", servers, model.apply(new RingTerms(1, alpha, 0, Double.POSITIVE_INFINITY)), 0);
  }

  /**
   * c = 2 e, alpha = 0.5. Alone: 1 s of 3. Beside one: finds it transmitting 1/3 of the time,
   * f(4/3) = 4/3 + 1/6 = 1.5, so 1.5 s of 3.5. Beside two of those: f(13/7) = 13/7 + 3/7 = 16/7 s
   * of 30/7.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0.333333333333333", "3, 0.428571428571429", "4, 0.533333333333333"})
  void shareOfARingThatTransmitsAThirdOfTheTimeAlone(int rings, double share) {
    assertThat(TransmitShare.of(2, rings, 0.5)).isCloseTo(share, within(1e-14));
  }

  @Test
  void aRingThatOnlyTransmitsCountsWholeAndOneThatNeverDoesNotAtAll() {
    for (int rings = 2; rings < 20; rings++) {
      assertThat(TransmitShare.of(0, rings, 0.3)).isEqualTo(1);
      assertThat(TransmitShare.of(Double.POSITIVE_INFINITY, rings, 0.3)).isZero();
    }
  }

  /**
   * The rings of a measured cluster: 0.335 s to exchange, 0.2 s of sleep, no penalty. Beside one, k
   * = 1 + 0.335 / 0.535; beside two, 1 + 2 x 0.5448 / 0.7448.
   */
  @Test
  void ringsThatSleepBetweenExchanges() {
    double rest = 0.2 / 0.335;
    assertThat(0.335 * (1 + TransmitShare.of(rest, 2, 0))).isCloseTo(0.5448, within(1e-4));
    assertThat(0.335 * (1 + 2 * TransmitShare.of(rest, 3, 0))).isCloseTo(0.8251, within(1e-4));
  }

  /** A computes 2 s, B never: A finds B always, B finds A a third of the time. */
  @Test
  void ringsThatDifferCountDifferently() {
    IterationTime time = IterationTime.of(cluster(Network.Transmit::new, 0.5));
    Rings rings = new Rings(4, time);
    rings.join(0, computing(2), FIRST);
    rings.join(1, computing(0), FIRST);
    assertThat(rings.contenders(0, FIRST)).isEqualTo(2);
    assertThat(rings.contenders(1, FIRST)).isCloseTo(4 / 3.0, EXACT);
    assertThat(time.seconds(computing(2), FIRST, 2)).isCloseTo(2 + 2.5, EXACT);
    assertThat(time.seconds(computing(0), FIRST, 4 / 3.0)).isCloseTo(1.5, EXACT);
    // What exchanges nothing slows nobody.
    Rings beside = new Rings(4, time);
    beside.join(0, computing(2), FIRST);
    beside.join(1, new ModelProfile("silent", 0, 1, 0, 1, "test"), FIRST);
    assertThat(beside.contenders(0, FIRST)).isEqualTo(1);
    assertThat(beside.contenders(1, FIRST)).isCloseTo(4 / 3.0, EXACT);
  }

  /** A on 0 and 1, B on 1 and 2, C on 2, 3 and 1: server 1 has three rings, 2 has two. */
  @Test
  void theBusiestServerCountsAndWhoLeavesIsForgotten() {
    IterationTime time = IterationTime.of(cluster(Network.Transmit::new, 0.5));
    Rings rings = new Rings(4, time);
    Placement b = Placement.of(new int[] {1, 2}, new int[] {1, 1});
    rings.join(0, computing(2), FIRST);
    rings.join(1, computing(2), b);
    Rings two = rings.copy();
    rings.join(2, computing(2), Placement.of(new int[] {2, 1}, new int[] {1, 1}));
    assertThat(rings.contenders(0, FIRST)).isCloseTo(13 / 7.0, EXACT);
    assertThat(rings.contenders(1, b)).isCloseTo(13 / 7.0, EXACT);
    assertThat(two.contenders(1, b)).isCloseTo(4 / 3.0, EXACT);
    rings.leave(0, FIRST);
    assertThat(rings.contenders(1, b)).isCloseTo(4 / 3.0, EXACT);
  }

  /** Fitted: 0.5 s to start, 1 s a share of 1/2: 1 s to exchange; with an overlap all in 5 s. */
  @Test
  void aFittedExchangeRestsWhileItDoesNotTransmit() {
    RingContention time = new RingContention(cluster(Network.Transmit::new, 0));
    ModelProfile serial =
        computing(3).exchanging(FittedExchange.anywhere(AllReduce.RING, 0.5, 1, 0));
    assertThat(time.restRatio(serial, FIRST)).isCloseTo(3, EXACT);
    ModelProfile overlapping =
        computing(4).exchanging(new FittedExchange(AllReduce.RING, 2, 0, 0, 0, 6, 0, 0));
    assertThat(time.restRatio(overlapping, FIRST)).isCloseTo(2 / 3.0, EXACT);
  }

  private static double restRatio(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextDouble() * 0.1;
      case 2 -> random.nextDouble() * 3;
      default -> random.nextDouble() * 100;
    };
  }

  @Test
  void sharesGrowWithRingsAndShrinkWithRest() {
    Seeds.each(
        200,
        (random, _) -> {
          double rest = restRatio(random);
          double alpha = random.nextDouble();
          double before = 0;
          for (int rings = 2; rings < 12; rings++) {
            double share = TransmitShare.of(rest, rings, alpha);
            assertThat(share).isBetween(before, 1.0);
            assertThat(TransmitShare.of(rest + 0.1, rings, alpha)).isLessThan(share);
            before = share;
          }
        });
  }

  /** Any rings anywhere: never slower than in the paper, never faster than alone. */
  @Test
  void neverAboveThePaperAndEqualIfNobodyComputes() {
    Seeds.each(
        200,
        (random, _) -> {
          double alpha = random.nextInt(3) / 4.0;
          boolean compute = random.nextBoolean();
          IterationTime time = IterationTime.of(cluster(Network.Transmit::new, alpha));
          IterationTime paper = IterationTime.of(cluster(Network.Contention::new, alpha));
          Rings shares = new Rings(4, time);
          Rings whole = new Rings(4, paper);
          int count = random.nextInt(1, 8);
          ModelProfile[] profiles = new ModelProfile[count];
          Placement[] placements = new Placement[count];
          for (int job = 0; job < count; job++) {
            profiles[job] = computing(compute ? restRatio(random) : 0);
            int at = random.nextInt(4);
            placements[job] =
                Placement.of(new int[] {at, (at + random.nextInt(1, 4)) % 4}, new int[] {1, 1});
            shares.join(job, profiles[job], placements[job]);
            whole.join(job, profiles[job], placements[job]);
          }
          for (int job = 0; job < count; job++) {
            Placement place = placements[job];
            double k = shares.contenders(job, place);
            double p = whole.contenders(job, place);
            double seconds = time.seconds(profiles[job], place, k);
            assertThat(seconds)
                .isGreaterThanOrEqualTo(time.seconds(profiles[job], place, 1))
                .isLessThanOrEqualTo(paper.seconds(profiles[job], place, p) * (1 + 1e-12));
            if (!compute) {
              assertThat(k).isEqualTo(p);
              assertThat(seconds).isEqualTo(paper.seconds(profiles[job], place, p));
            }
          }
        });
  }

  @Test
  void ringsThatAreAlikeAreSlowedAlike() {
    Seeds.each(
        50,
        (random, _) -> {
          IterationTime time = IterationTime.of(cluster(Network.Transmit::new, 0.25));
          Rings rings = new Rings(4, time);
          ModelProfile profile = computing(restRatio(random));
          int count = random.nextInt(2, 8);
          for (int job = 0; job < count; job++) {
            rings.join(job, profile, FIRST);
          }
          double share = TransmitShare.of(profile.computeSeconds(), count, 0.25);
          for (int job = 0; job < count; job++) {
            assertThat(rings.contenders(job, FIRST)).isCloseTo(1 + (count - 1) * share, EXACT);
          }
        });
  }
}
