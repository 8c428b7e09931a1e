package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Reserved bandwidth, the measured cost and the cap, worked out by hand.
 *
 * <p>m = 800 MB, compute 0.07 s, C = 100 GB/s, xi2 = 1 ms, b_i = 37.5 GB/s, b_e = 1.25 GB/s,
 * servers of 8 GPUs. With four workers m (w-1)/w is 600 MB: 0.006 s to reduce, 0.032 s to exchange
 * inside a server, 0.96 s between servers over a whole free link.
 */
class NetworkModelsTest {
  private static final Offset<Double> EXACT = within(1e-12);
  private static final ModelProfile PROFILE =
      new ModelProfile("test", 800e6, 4, 0.01, 0.03, "test");

  private static Cluster cluster(Network network, int... gpus) {
    List<Server> servers = new ArrayList<>();
    for (int each : gpus) {
      servers.add(new Server("s" + servers.size(), each, "v100", "r1", 1.25e9, 37.5e9));
    }
    return new Cluster("test", servers, network, 10);
  }

  private static final RingTerms TERMS = new RingTerms(1, 0.2, 1e-3, 100e9);
  private static final Network RESERVED = new Network.Reserved(TERMS, 0);

  private static RingTerms capped(double cap) {
    return new RingTerms(1, 0.2, 1e-3, 100e9, cap, 0);
  }

  private static Placement on(int... serversAndGpus) {
    int[] servers = new int[serversAndGpus.length / 2];
    int[] gpus = new int[servers.length];
    for (int i = 0; i < servers.length; i++) {
      servers[i] = serversAndGpus[2 * i];
      gpus[i] = serversAndGpus[2 * i + 1];
    }
    return Placement.of(servers, gpus);
  }

  /** Two of eight GPUs on each server: a quarter of the link, so 4 x 0.96 s, beside anyone. */
  @Test
  void aRingHasItsShareOfTheLinkForItself() {
    IterationTime time = IterationTime.of(cluster(RESERVED, 8, 8));
    double alone = 4 * 0.96 + 0.006 + 0.07 + 0.002;
    assertThat(time.seconds(PROFILE, on(0, 2, 1, 2), 1)).isCloseTo(alone, EXACT);
    assertThat(time.seconds(PROFILE, on(0, 2, 1, 2), 4)).isCloseTo(alone, EXACT);
    assertThat(time.neighboursMatter()).isFalse();
  }

  /** Three GPUs here and one there: the smaller part, an eighth, counts. */
  @Test
  void theSmallestPartCounts() {
    IterationTime time = IterationTime.of(cluster(RESERVED, 8, 8));
    assertThat(time.seconds(PROFILE, on(0, 3, 1, 1), 1))
        .isCloseTo(8 * 0.96 + 0.006 + 0.07 + 0.002, EXACT);
  }

  @Test
  void reservedOnOneServerIsAsFastAsInContention() {
    assertThat(IterationTime.of(cluster(RESERVED, 8, 8)).seconds(PROFILE, Placement.on(0, 4), 1))
        .isCloseTo(0.032 + 0.006 + 0.07 + 0.001, EXACT);
  }

  @Test
  void partsNeverAddUpToMoreThanTheLink() {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = cluster(RESERVED, 8, 5, 3);
          ReservedBandwidth time = new ReservedBandwidth(cluster);
          int[] free = {8, 5, 3};
          double[] taken = new double[3];
          for (int ring = 0; ring < 8; ring++) {
            int a = random.nextInt(3);
            int b = (a + 1 + random.nextInt(2)) % 3;
            if (free[a] == 0 || free[b] == 0) {
              continue;
            }
            int onA = random.nextInt(1, free[a] + 1);
            int onB = random.nextInt(1, free[b] + 1);
            free[a] -= onA;
            free[b] -= onB;
            double reserved = time.reserved(PROFILE, on(a, onA, b, onB));
            taken[a] += reserved;
            taken[b] += reserved;
          }
          for (double each : taken) {
            assertThat(each).isLessThanOrEqualTo(1.25e9 * (1 + 1e-12));
          }
        });
  }

  /**
   * Half of the link, 0.625 GB/s, however many GPUs are where: 2 x 600 MB / 0.625 GB/s = 1.92 s.
   */
  @Test
  void aFixedReservationIsTheSameForEveryPlacementAcrossServers() {
    Network fixed = RESERVED.reserving(0.625e9);
    IterationTime time = IterationTime.of(cluster(fixed, 8, 8));
    double across = 1.92 + 0.006 + 0.07 + 0.002;
    assertThat(time.seconds(PROFILE, on(0, 2, 1, 2), 1)).isCloseTo(across, EXACT);
    assertThat(time.seconds(PROFILE, on(0, 3, 1, 1), 5)).isCloseTo(across, EXACT);
    assertThat(time.seconds(PROFILE, Placement.on(0, 4), 1))
        .isCloseTo(0.032 + 0.006 + 0.07 + 0.001, EXACT);
    assertThat(time.neighboursMatter()).isFalse();
    // A model that reserves 0.3125 GB/s of its own: 3.84 s.
    ModelProfile own = new ModelProfile("own", 800e6, 4, 0.01, 0.03, "test").reserving(0.3125e9);
    assertThat(time.seconds(own, on(0, 2, 1, 2), 1)).isCloseTo(across + 1.92, EXACT);
  }

  /**
   * A = 1 s of compute, and B = 2 m / b = 2 s with m = b and nothing to reduce: tau(w) = 1 + 2 (w -
   * 1) / w, so 1, 2, 7/3, 5/2. A lone worker has nobody to talk to; the second gains nothing, the
   * later ones do: w / tau is 1, 1, 9/7, 8/5.
   */
  @Test
  void aSecondWorkerMayGainNothingWhereAThirdDoes() {
    Network network = new Network.Reserved(new RingTerms(1, 0, 0, Double.POSITIVE_INFINITY), 1e9);
    IterationTime time = IterationTime.of(cluster(network, 1, 1, 1, 1));
    ModelProfile profile = new ModelProfile("test", 1e9, 1, 1, 0, "test");
    assertThat(time.seconds(profile, on(0, 1), 1)).isEqualTo(1);
    assertThat(1 / time.seconds(profile, on(0, 1), 1)).isEqualTo(1);
    assertThat(2 / time.seconds(profile, on(0, 1, 1, 1), 1)).isCloseTo(1, EXACT);
    assertThat(3 / time.seconds(profile, on(0, 1, 1, 1, 2, 1), 1)).isCloseTo(9 / 7.0, EXACT);
    assertThat(4 / time.seconds(profile, on(0, 1, 1, 1, 2, 1, 3, 1), 1)).isCloseTo(1.6, EXACT);
  }

  /** Racks of 8 + 5 and 3 + 4 GPUs. */
  private static Cluster racks(double firstUplink, double secondUplink) {
    int[] gpus = {8, 5, 3, 4};
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < gpus.length; s++) {
      servers.add(new Server("s" + s, gpus[s], "v100", s < 2 ? "a" : "b", 1.25e9, 37.5e9));
    }
    return new Cluster(
        "test",
        servers,
        List.of(new Rack("a", firstUplink), new Rack("b", secondUplink)),
        RESERVED,
        10);
  }

  /**
   * Four GPUs of server 0 and two of server 3: half of either link is 0.625 GB/s. Of rack a's 13
   * GPUs it has four, so 4/13 of 1.3 GB/s, of rack b's seven two, so 2/7 of 2.8 GB/s: 0.4 GB/s.
   */
  @Test
  void acrossRacksThePartOfAnUplinkCountsToo() {
    ReservedBandwidth time = new ReservedBandwidth(racks(1.3e9, 2.8e9));
    assertThat(time.reserved(PROFILE, on(0, 4, 3, 2))).isCloseTo(0.4e9, within(1.0));
    // 2/7 of 0.7 GB/s; and inside a rack the uplink does not matter.
    assertThat(new ReservedBandwidth(racks(1.3e9, 0.7e9)).reserved(PROFILE, on(0, 4, 3, 2)))
        .isCloseTo(0.2e9, within(1.0));
    assertThat(new ReservedBandwidth(racks(1, 1)).reserved(PROFILE, on(2, 3, 3, 2)))
        .isCloseTo(0.625e9, within(1.0));
  }

  @Test
  void partsNeverAddUpToMoreThanAnyLinkOrUplink() {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = racks(random.nextDouble(1e6, 5e9), random.nextDouble(1e6, 5e9));
          ReservedBandwidth time = new ReservedBandwidth(cluster);
          Topology topology = cluster.topology();
          int[] free = {8, 5, 3, 4};
          double[] taken = new double[topology.links().size()];
          for (int ring = 0; ring < 10; ring++) {
            List<Integer> pairs = new ArrayList<>();
            for (int s = 0; s < free.length; s++) {
              int gpus = random.nextInt(Math.min(3, free[s]) + 1);
              if (gpus > 0) {
                free[s] -= gpus;
                pairs.addAll(List.of(s, gpus));
              }
            }
            if (pairs.size() > 2) {
              Placement placement = on(pairs.stream().mapToInt(Integer::intValue).toArray());
              for (int link : topology.ring(placement).toArray()) {
                taken[link] += time.reserved(PROFILE, placement);
              }
            }
          }
          for (int link = 0; link < taken.length; link++) {
            assertThat(taken[link])
                .as(topology.links().get(link).name())
                .isLessThanOrEqualTo(topology.links().get(link).bytesPerSecond() * (1 + 1e-12));
          }
        });
  }

  /** VGG-16 at 10 Gbit/s: 526.4 MB x 0.856 ms/MB = 0.4506 s; with two, 2 b + eta = 1.947 ms/MB. */
  @Test
  void measuredCostHasItsPublishedConstants() {
    Cluster cluster = cluster(new Network.Measured(TERMS, AllReduceCost.TEN_GIGABIT), 4, 4);
    IterationTime time = IterationTime.of(cluster);
    ModelTable table = ModelTable.standard();
    ModelProfile vgg16 = table.profile(table.indexOf("vgg16"));
    assertThat(time.seconds(vgg16, on(0, 2, 1, 2), 1)).isCloseTo(0.09 + 0.4505984, EXACT);
    assertThat(time.seconds(vgg16, on(0, 2, 1, 2), 2)).isCloseTo(0.09 + 526.4 * 1.947e-3, EXACT);
    assertThat(time.seconds(vgg16, on(0, 2, 1, 2), 3)).isCloseTo(0.09 + 526.4 * 3.038e-3, EXACT);
    assertThat(time.seconds(vgg16, Placement.on(0, 4), 1)).isCloseTo(0.09, EXACT);
    assertThat(cluster.network().penalty()).isCloseTo(0.235 / 0.856, EXACT);
  }

  @Test
  void measuredCostHasAStartUpTimeOnceForEachAllReduce() {
    AllReduceCost cost = new AllReduceCost(0.5, 1e-9, 0.25e-9);
    IterationTime time = IterationTime.of(cluster(new Network.Measured(TERMS, cost), 8, 8));
    // 0.5 + 3 x 0.8 + 2 x 0.2.
    assertThat(time.seconds(PROFILE, on(0, 1, 1, 1), 3)).isCloseTo(0.07 + 3.3, EXACT);
  }

  /** On one server 0.109 s; across, 0.96 f and more, but never above 1.5 x 0.109. */
  @Test
  void crossingCostsNoMoreThanTheCap() {
    IterationTime capped = IterationTime.of(cluster(new Network.Contention(capped(0.5)), 8, 8));
    assertThat(capped.seconds(PROFILE, Placement.on(0, 4), 1)).isCloseTo(0.109, EXACT);
    assertThat(capped.seconds(PROFILE, on(0, 2, 1, 2), 1)).isCloseTo(1.5 * 0.109, EXACT);
    assertThat(capped.seconds(PROFILE, on(0, 2, 1, 2), 9)).isCloseTo(1.5 * 0.109, EXACT);
    IterationTime loose = IterationTime.of(cluster(new Network.Contention(capped(100)), 8, 8));
    assertThat(loose.seconds(PROFILE, on(0, 2, 1, 2), 1))
        .isCloseTo(0.96 + 0.006 + 0.07 + 0.002, EXACT);
  }

  @Test
  void nothingIsFasterThanTheFastest() {
    Seeds.each(
        300,
        (random, _) -> {
          int model = random.nextInt(6);
          RingTerms terms =
              capped(random.nextBoolean() ? Double.POSITIVE_INFINITY : random.nextDouble());
          Network network =
              switch (model) {
                case 0 -> new Network.Contention(terms);
                case 1 -> new Network.Transmit(terms);
                case 2 ->
                    new Network.Reserved(
                        terms, random.nextBoolean() ? random.nextDouble(1e8, 1.25e9) : 0);
                case 3 -> new Network.Share(terms, Pipelining.STEADY);
                case 4 -> new Network.Measured(terms, AllReduceCost.TEN_GIGABIT);
                default -> new Network.None(terms);
              };
          Cluster cluster = cluster(network, 8, 5, 3);
          IterationTime time = IterationTime.of(cluster);
          int a = random.nextInt(0, 9);
          int b = random.nextInt(a == 0 ? 1 : 0, 6);
          Placement placement =
              a == 0 ? Placement.on(1, b) : b == 0 ? Placement.on(0, a) : on(0, a, 1, b);
          int contenders = random.nextInt(1, 5);
          assertThat(time.fastestSeconds(PROFILE, a + b))
              .isLessThanOrEqualTo(time.seconds(PROFILE, placement, contenders) * (1 + 1e-12));
        });
  }

  @Test
  void slotsHoldWholeIterations() {
    Slots slots = new Slots(2);
    // 0.3 s: six iterations in 1.8 s, the rest of the slot is lost.
    assertThat(slots.speed(1, 0.3)).isCloseTo(3, EXACT);
    assertThat(slots.speed(0.3, 0.3)).isCloseTo(0.9, EXACT);
    assertThat(slots.speed(1, 2)).isCloseTo(0.5, EXACT);
    assertThat(slots.speed(1, 2.1)).isZero();
    // 2 / 0.4 is five, though not in binary.
    assertThat(slots.speed(1, 2 / 5.0)).isCloseTo(2.5, EXACT);
    assertThat(slots.atOrAfter(4)).isEqualTo(4);
    assertThat(slots.atOrAfter(4.1)).isEqualTo(6);
    assertThat(new Slots(0).speed(1, 0.3)).isEqualTo(1 / 0.3);
    assertThat(new Slots(0).atOrAfter(4.1)).isEqualTo(4.1);
  }
}
