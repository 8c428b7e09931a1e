package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Iteration times worked out by hand from the paper's formula:
 *
 * <pre>tau = 2 m (w-1)/w / B  +  m (w-1)/w / C  +  df M + db  +  xi2 x servers</pre>
 *
 * <p>Here m = 800 MB, df M + db = 0.01 x 4 + 0.03 = 0.07 s, C = 100 GB/s, xi2 = 1 ms, b_i = 37.5
 * GB/s, b_e = 1.25 GB/s. With four workers m (w-1)/w is 600 MB: 0.006 s to reduce, 0.032 s to
 * exchange inside a server, 0.96 f s between servers.
 */
class RingContentionTest {
  private static final Offset<Double> EXACT = within(1e-12);
  private static final ModelProfile PROFILE =
      new ModelProfile("test", 800e6, 4, 0.01, 0.03, "test");

  private static Network network(double xi1, double alpha) {
    return new Network.Contention(new RingTerms(xi1, alpha, 1e-3, 100e9));
  }

  private static Cluster cluster(Network network, double... nics) {
    List<Server> servers = new ArrayList<>();
    for (double nic : nics) {
      servers.add(new Server("s" + servers.size(), 8, "v100", "r1", nic, 37.5e9));
    }
    return new Cluster("test", servers, network, 10);
  }

  private static final Cluster THREE = cluster(network(1, 0.2), 1.25e9, 1.25e9, 1.25e9);

  private static double tau(Cluster cluster, Placement placement, int contenders) {
    return IterationTime.of(cluster).seconds(PROFILE, placement, contenders);
  }

  @Test
  void oneWorkerSendsNothing() {
    assertThat(tau(THREE, Placement.on(0, 1), 1)).isCloseTo(0.071, EXACT);
  }

  @Test
  void oneServerExchangesInside() {
    assertThat(tau(THREE, Placement.on(1, 4), 1)).isCloseTo(0.032 + 0.006 + 0.07 + 0.001, EXACT);
    // Two workers: 400 MB. 0.8 / 37.5 + 0.004.
    assertThat(tau(THREE, Placement.on(1, 2), 1))
        .isCloseTo(0.8 / 37.5 + 0.004 + 0.07 + 0.001, EXACT);
  }

  @Test
  void neighboursDoNotMatterInsideAServer() {
    assertThat(tau(THREE, Placement.on(1, 4), 5)).isEqualTo(tau(THREE, Placement.on(1, 4), 1));
  }

  /** f = p + 0.2 (p - 1): 1, 2.2, 3.4. */
  @ParameterizedTest
  @CsvSource({"1, 0.96", "2, 2.112", "3, 3.264"})
  void twoServersExchangeAtTheSpeedThatOtherRingsLeave(int contenders, double exchange) {
    Placement two = Placement.of(new int[] {0, 2}, new int[] {2, 2});
    assertThat(tau(THREE, two, contenders)).isCloseTo(exchange + 0.006 + 0.07 + 0.002, EXACT);
  }

  @Test
  void howWorkersAreSplitDoesNotMatter() {
    Placement even = Placement.of(new int[] {0, 2}, new int[] {2, 2});
    Placement odd = Placement.of(new int[] {0, 2}, new int[] {3, 1});
    assertThat(tau(THREE, odd, 2)).isEqualTo(tau(THREE, even, 2));
  }

  @Test
  void everyServerAddsItsOverhead() {
    Placement three = Placement.of(new int[] {0, 1, 2}, new int[] {2, 1, 1});
    assertThat(tau(THREE, three, 1)).isCloseTo(0.96 + 0.006 + 0.07 + 0.003, EXACT);
  }

  /** f is exactly p without degradation, and 3 + 1 x 2 at alpha 1. */
  @ParameterizedTest
  @CsvSource({"0, 2.88", "1, 4.8"})
  void alphaIsWhatAContenderAddsToItsShare(double alpha, double exchange) {
    Cluster cluster = cluster(network(1, alpha), 1.25e9, 1.25e9);
    Placement two = Placement.of(new int[] {0, 1}, new int[] {2, 2});
    assertThat(tau(cluster, two, 3)).isCloseTo(exchange + 0.006 + 0.07 + 0.002, EXACT);
  }

  /** xi1 = 0.5: k is 0.5, 1 and 1.5; f would be 0.4 for one ring and is 1; 1; and 1.6. */
  @ParameterizedTest
  @CsvSource({"1, 0.96", "2, 0.96", "3, 1.536"})
  void theFactorIsNeverBelowOne(int contenders, double exchange) {
    Cluster cluster = cluster(network(0.5, 0.2), 1.25e9, 1.25e9);
    Placement two = Placement.of(new int[] {0, 1}, new int[] {2, 2});
    assertThat(tau(cluster, two, contenders)).isCloseTo(exchange + 0.006 + 0.07 + 0.002, EXACT);
    assertThat(new RingContention(cluster).degradation(1)).isEqualTo(1);
  }

  /** 1.2 GB at 2.5 GB/s. */
  @Test
  void theSlowestLinkOfTheOwnServersCounts() {
    Cluster cluster = cluster(network(1, 0.2), 1.25e9, 5e9, 2.5e9);
    Placement fast = Placement.of(new int[] {1, 2}, new int[] {2, 2});
    assertThat(tau(cluster, fast, 1)).isCloseTo(0.48 + 0.006 + 0.07 + 0.002, EXACT);
    Placement all = Placement.of(new int[] {2, 1, 0}, new int[] {1, 2, 1});
    assertThat(tau(cluster, all, 1)).isCloseTo(0.96 + 0.006 + 0.07 + 0.003, EXACT);
  }

  @Test
  void aJobWithoutAModelTakesOneSecondAnywhere() {
    IterationTime time = IterationTime.of(THREE);
    assertThat(time.seconds(null, Placement.on(0, 8), 1)).isEqualTo(1);
    assertThat(time.seconds(null, Placement.of(new int[] {0, 1}, new int[] {1, 1}), 9))
        .isEqualTo(1);
    assertThat(time.fastestSeconds(null, 20)).isEqualTo(1);
    assertThat(time.neighboursMatter()).isTrue();
  }

  @Test
  void withoutANetworkEveryIterationTakesOneSecond() {
    IterationTime time = IterationTime.of(cluster(Network.None.USUAL, 1.25e9, 1.25e9));
    assertThat(time).isEqualTo(new Uncontended());
    assertThat(time.seconds(PROFILE, Placement.of(new int[] {0, 1}, new int[] {8, 8}), 7))
        .isEqualTo(1);
    assertThat(time.fastestSeconds(PROFILE, 16)).isEqualTo(1);
    assertThat(time.neighboursMatter()).isFalse();
  }

  @Test
  void noPlacementIsFasterThanTheFastest() {
    ModelTable models = ModelTable.standard();
    Seeds.each(
        500,
        (random, _) -> {
          List<Server> servers = new ArrayList<>();
          int count = random.nextInt(1, 7);
          for (int s = 0; s < count; s++) {
            // Links inside a server are not always the faster ones.
            double nic = random.nextDouble(0.5e9, 20e9);
            double intra = random.nextDouble(0.5e9, 50e9);
            servers.add(new Server("s" + s, random.nextInt(1, 9), "v100", "r1", nic, intra));
          }
          Network network =
              new Network.Contention(
                  new RingTerms(
                      random.nextDouble(0.01, 1),
                      random.nextDouble(0, 2),
                      random.nextDouble(0, 0.1),
                      random.nextDouble(1e9, 100e9)));
          Cluster cluster = new Cluster("random", servers, network, 0);
          IterationTime time = IterationTime.of(cluster);
          for (int attempt = 0; attempt < 20; attempt++) {
            int[] taken = new int[count];
            for (int s = 0; s < count; s++) {
              taken[s] = random.nextInt(cluster.gpus(s) + 1);
            }
            int[] used = IntStream.range(0, count).filter(s -> taken[s] > 0).toArray();
            if (used.length == 0) {
              continue;
            }
            Placement placement =
                Placement.of(used, IntStream.of(used).map(s -> taken[s]).toArray());
            @Nullable ModelProfile profile = models.profile(random.nextInt(-1, 10));
            double seconds = time.seconds(profile, placement, random.nextInt(1, 5));
            assertThat(time.fastestSeconds(profile, placement.workers()))
                .as("%s on %s", profile, placement)
                .isLessThanOrEqualTo(seconds * (1 + 1e-12));
          }
        });
  }

  /** On equal servers the ideal placement is the fastest. */
  @Test
  void theFastestIsReachedOnEqualServers() {
    Cluster cluster = Cluster.uniform(4, 4, Network.Contention.USUAL, 0);
    IterationTime time = IterationTime.of(cluster);
    for (int workers = 1; workers <= 16; workers++) {
      assertThat(time.fastestSeconds(PROFILE, workers))
          .isCloseTo(time.seconds(PROFILE, cluster.idealPlacement(workers), 1), EXACT);
    }
  }

  @Test
  void moreContendersAreNeverFaster() {
    Placement two = Placement.of(new int[] {0, 2}, new int[] {2, 2});
    double[] times = IntStream.range(1, 20).mapToDouble(p -> tau(THREE, two, p)).toArray();
    assertThat(times).isEqualTo(DoubleStream.of(times).sorted().toArray());
  }
}
