package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Turns by hand, by property, and beside rings of two that were measured on links of 100 Mbit/s in
 * namespaces: an exchange of 167 ms, and as much computing that it is a share f of an iteration.
 */
class TurnsTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final double MEASURED_EXCHANGE = 0.167;
  private static final double OFF_BY_AT_MOST = 0.05;
  private static final ShiftedTurns SHIFTED = new ShiftedTurns(Network.Shifted.USUAL_SLACK);

  private static LinkRing ring(int job, double exchange, double rest) {
    return new LinkRing(job, exchange, rest, 1, 2 * rest / exchange);
  }

  private static List<LinkRing> alike(int count, double exchange, double rest) {
    return IntStream.range(0, count).mapToObj(job -> ring(job, exchange, rest)).toList();
  }

  private static List<LinkRing> measured(int count, double share) {
    return alike(count, MEASURED_EXCHANGE, MEASURED_EXCHANGE / share - MEASURED_EXCHANGE);
  }

  private static double[] seconds(Turns turns, List<LinkRing> rings) {
    double[] seconds = turns.stretches(rings);
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = rings.get(i).restSeconds() + seconds[i] * rings.get(i).exchangeSeconds();
    }
    return seconds;
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0.3, 0.559, 0.559",
    "2, 0.5, 0.343, 0.346",
    "2, 0.63, 0.343, 0.350",
    "2, 0.8, 0.343, 0.348",
    "3, 0.3, 0.56, 0.58",
    "3, 0.5, 0.513, 0.518"
  })
  void ringsHeldToTheBestShiftTakeAsLongAsMeasured(
      int count, double share, double least, double most) {
    for (double seconds : seconds(SHIFTED, measured(count, share))) {
      assertThat(seconds).isCloseTo(least, within(OFF_BY_AT_MOST * least));
      assertThat(seconds).isCloseTo(most, within(OFF_BY_AT_MOST * most));
    }
  }

  /** Started together, at random moments, and held to the worst shift: nobody takes turns. */
  @ParameterizedTest
  @CsvSource({
    "2, 0.3, 0.56, 0.66",
    "2, 0.5, 0.34, 0.45",
    "2, 0.63, 0.34, 0.38",
    "2, 0.8, 0.34, 0.36",
    "3, 0.3, 0.59, 0.73",
    "3, 0.5, 0.52, 0.55"
  })
  void freeRingsLieBetweenTheBounds(int count, double share, double least, double most) {
    List<LinkRing> rings = measured(count, share);
    ShiftedTurns.Range range = ShiftedTurns.range(rings, 0);
    assertThat(range.least()).isLessThanOrEqualTo(least);
    assertThat(range.most()).isGreaterThanOrEqualTo(most);
    double mean = ShiftedTurns.freeSeconds(rings, 0);
    assertThat(mean).isBetween(range.least(), range.most());
    assertThat(mean).isCloseTo((least + most) / 2, within(0.11 * mean));
  }

  /** In step for ever: what was measured is all at once. */
  @Test
  void ringsInLockstepAreAtTheUpperBound() {
    double most = ShiftedTurns.range(measured(2, 0.5), 0).most();
    assertThat(most).isCloseTo(0.514, within(OFF_BY_AT_MOST * 0.514));
  }

  /** Whole multiples of a base, or not: held or free makes no difference that one could measure. */
  @ParameterizedTest
  @CsvSource({
    "0.065, 0.065, 0.294, 0.302, 0.442, 0.453",
    "0.096, 0.149, 0.326, 0.326, 0.489, 0.489"
  })
  void periodsOf300And450MilliSecondsAreAsMeasured(
      double first, double second, double least, double most, double least2, double most2) {
    double[] seconds =
        seconds(SHIFTED, List.of(ring(0, first, 0.3 - first), ring(1, second, 0.45 - second)));
    assertThat(seconds[0]).isBetween(0.95 * least, 1.05 * most);
    assertThat(seconds[1]).isBetween(0.95 * least2, 1.05 * most2);
  }

  @ParameterizedTest
  @CsvSource({"0.3, 0.553, 0.553", "0.5, 0.330, 0.495", "0.63, 0.260, 0.521", "0.8, 0.205, 1.01"})
  void theFirstByPriorityAndTheOtherTakeAsLongAsMeasured(double share, double first, double other) {
    double[] seconds = seconds(new PriorityTurns(), measured(2, share));
    assertThat(seconds[0]).isCloseTo(first, within(OFF_BY_AT_MOST * first));
    assertThat(seconds[1]).isCloseTo(other, within(OFF_BY_AT_MOST * other));
  }

  /** Alone 3 s, free 2 + 1 x 4/3. Held, with slack, as long as that is less. */
  @ParameterizedTest
  @CsvSource({"0, 3", "0.03, 3.09", "0.1, 3.3", "0.2, 3.333333333333"})
  void twoRingsThatTransmitAThirdOfTheTime(double slack, double seconds) {
    assertThat(seconds(new ShiftedTurns(slack), alike(2, 1, 2)))
        .containsExactly(new double[] {seconds, seconds}, within(1e-9));
  }

  /** Of 3 s each transmits 2: they cannot have less than 4, and free ones have 1 + 2 x 5/3. */
  @Test
  void twoRingsThatFillTheLink() {
    assertThat(ShiftedTurns.freeSeconds(alike(2, 2, 1), 0)).isCloseTo(13 / 3.0, EXACT);
    assertThat(seconds(SHIFTED, alike(2, 2, 1))[0]).isCloseTo(4.12, EXACT);
  }

  /** One of 3 s waits for one of 4: free they would take 4 + 1/3 and 3 + 1/4. */
  @Test
  void aRingIsHeldToALongerPeriodOnlyIfThatIsFaster() {
    List<LinkRing> far = List.of(ring(0, 1, 2), ring(1, 1, 3));
    assertThat(SHIFTED.hold(far)).isNull();
    assertThat(seconds(SHIFTED, far)).containsExactly(new double[] {3.25, 4 + 1 / 3.0}, EXACT);
    List<LinkRing> near = List.of(ring(0, 1, 2), ring(1, 1, 2.1));
    assertThat(seconds(SHIFTED, near)).containsExactly(new double[] {3.193, 3.193}, EXACT);
  }

  /** Periods of 3 and 6: a base of 3 s holds both exchanges. */
  @Test
  void oneRingTakesTwoTurnsWhileAnotherTakesOne() {
    ShiftedTurns.Hold hold =
        Objects.requireNonNull(
            new ShiftedTurns(0.01).hold(List.of(ring(0, 1, 2), ring(1, 1.5, 4.5))));
    assertThat(hold.baseSeconds()).isCloseTo(3.03, EXACT);
    assertThat(hold.periodSeconds()).containsExactly(new double[] {3.03, 6.06}, EXACT);
  }

  /** On a link three times as wide as what they send, two rings do not feel each other. */
  @Test
  void aWideLinkHasRoomForSeveral() {
    for (Turns turns : List.of(SHIFTED, new PriorityTurns())) {
      List<LinkRing> wide = List.of(new LinkRing(0, 1, 1, 3, 2), new LinkRing(1, 1, 1, 3, 2));
      assertThat(turns.stretches(wide)).containsExactly(new double[] {1, 1}, within(0.02));
    }
  }

  /** Two thirds of the time the link is another's: what is left is a third of it. */
  @Test
  void aLongExchangeHasWhatShortOnesLeave() {
    List<LinkRing> rings = List.of(ring(0, 0.002, 0.001), ring(1, 100, 0));
    assertThat(new PriorityTurns().stretches(rings)).containsExactly(new double[] {1, 3}, EXACT);
  }

  @Test
  void whoHasTheMostComputingForWhatItSendsGoesFirstAndNobodyStarves() {
    List<LinkRing> rings = List.of(ring(0, 1, 0), ring(1, 1, 0.1), ring(2, 1, 0.2));
    double[] stretches = new PriorityTurns().stretches(rings);
    assertThat(stretches[2]).isEqualTo(1);
    assertThat(stretches[1]).isBetween(4.0, 8.0);
    assertThat(stretches[0]).isEqualTo(20);
  }

  @Test
  void noLinkCarriesMoreThanItCanAndNobodyIsFasterThanAlone() {
    Seeds.each(
        300,
        (random, seed) -> {
          List<LinkRing> rings = random(random);
          double[] held = seconds(SHIFTED, rings);
          ShiftedTurns.Hold hold = SHIFTED.hold(rings);
          double carried = 0;
          for (int i = 0; i < held.length; i++) {
            ShiftedTurns.Range range = ShiftedTurns.range(rings, i);
            double free = ShiftedTurns.freeSeconds(rings, i);
            assertThat(range.least()).isGreaterThanOrEqualTo(rings.get(i).periodSeconds() - 1e-9);
            assertThat(free).isBetween(range.least(), range.most());
            assertThat(held[i]).isBetween(rings.get(i).periodSeconds() - 1e-9, free + 1e-9);
            carried += rings.get(i).linkSeconds() / held[i];
          }
          if (hold != null) {
            assertThat(carried).isLessThan(1);
          }
          assertThat(sent(rings, seconds(new PriorityTurns(), rings))).isLessThan(1.08);
        });
  }

  /** Seconds of the link that rings need in each second that they did not lose by the floor. */
  private static double sent(List<LinkRing> rings, double[] seconds) {
    double sent = 0;
    for (int i = 0; i < seconds.length; i++) {
      double most = rings.get(i).restSeconds() + 20 * rings.get(i).exchangeSeconds();
      sent += seconds[i] < most - 1e-9 ? rings.get(i).linkSeconds() / seconds[i] : 0;
    }
    return sent;
  }

  private static List<LinkRing> random(RandomGenerator random) {
    List<LinkRing> rings = new ArrayList<>();
    for (int job = random.nextInt(1, 6); job >= 0; job--) {
      double rest = random.nextInt(4) == 0 ? 0 : random.nextDouble(2);
      rings.addFirst(
          new LinkRing(
              job,
              random.nextDouble(0.01, 2),
              rest,
              random.nextBoolean() ? 1 : random.nextDouble(1, 4),
              random.nextInt(3)));
    }
    return rings;
  }

  /** The formulas of a cluster, on the links of servers and on uplinks, come to what turns say. */
  @Test
  void iterationsOfAClusterTakeAsLong() {
    assertThat(beside(terms -> new Network.Shifted(terms, 0.03), 8e9, 0, 1)).isCloseTo(3.09, EXACT);
    // On an uplink, from other servers.
    assertThat(beside(terms -> new Network.Shifted(terms, 0.03), 1e9, 0, 2)).isCloseTo(3.09, EXACT);
    assertThat(beside(terms -> new Network.Shifted(terms, 0.03), 8e9, 0, 2)).isCloseTo(3, EXACT);
    // Half as wide: both exchange for 2 s of 4, free 2 + 2 x 1.5, held 4 and slack.
    assertThat(beside(terms -> new Network.Shifted(terms, 0.03), 0.5e9, 0, 2))
        .isCloseTo(4.12, EXACT);
    assertThat(beside(Network.Priority::new, 8e9, 0, 1)).isCloseTo(3, EXACT);
    assertThat(beside(Network.Priority::new, 8e9, 1, 0)).isCloseTo(3, within(0.1));
  }

  /**
   * A ring of two workers that exchanges for a second and computes for two, beside another such.
   *
   * @param job its number; the other's is 1 or 0
   * @param first of the other's servers, which are two racks apart
   */
  private static double beside(
      Function<RingTerms, Network> model, double uplink, int job, int first) {
    List<Server> servers = new ArrayList<>();
    List<Rack> racks = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      racks.add(new Rack("r" + r, uplink));
      for (int s = 0; s < 3; s++) {
        servers.add(new Server("s" + servers.size(), 8, "v100", "r" + r, 1e9, 4e9));
      }
    }
    Network network = model.apply(new RingTerms(0.5, 0.7, 0, Double.POSITIVE_INFINITY));
    Cluster cluster = new Cluster("test", servers, racks, network, 0);
    IterationTime time = IterationTime.of(cluster);
    Rings rings = new Rings(cluster.size(), time);
    ModelProfile profile = new ModelProfile("ring", 1e9, 1, 0, 2, "test");
    Placement place = Placement.of(new int[] {0, 3}, new int[] {1, 1});
    Placement other =
        Placement.of(new int[] {Math.min(first, 2), first == 2 ? 5 : 3}, new int[] {1, 1});
    rings.join(job, profile, place);
    rings.join(1 - job, profile, other);
    return time.seconds(profile, place, rings.copy().contenders(job, place));
  }

  @Test
  void theOrderInWhichRingsAreListedDoesNotMatter() {
    Seeds.each(
        50,
        (random, seed) -> {
          List<LinkRing> rings = random(random);
          List<LinkRing> turned = new ArrayList<>(rings);
          Collections.reverse(turned);
          double[] there = new PriorityTurns().stretches(rings);
          double[] back = new PriorityTurns().stretches(turned);
          for (int i = 0; i < there.length; i++) {
            assertThat(back[there.length - 1 - i]).isEqualTo(there[i]);
          }
        });
  }
}
