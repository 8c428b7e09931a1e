package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a cluster holds where more than GPUs is counted. */
class CapacitiesTest {
  private static final double UNCOUNTED = Double.POSITIVE_INFINITY;
  private static final ModelProfile PLAIN = new ModelProfile("plain", 800e6, 4, 0.01, 0.03, "test");
  private static final ModelProfile GREEDY =
      new ModelProfile("greedy", 800e6, 4, 0.01, 0.03, "test").reserving(2e9);

  private static Server server(
      String name, int gpus, String rack, double nic, double cpus, double memoryBytes) {
    return new Server(name, gpus, "v100", rack, nic, 1e10, cpus, memoryBytes, 300);
  }

  private static Cluster of(Network network, Server... servers) {
    return new Cluster("test", List.of(servers), network, 0);
  }

  @Test
  void onlyCountedThingsLimit() {
    Server plain = new Server("s1", 8, "v100", "r1", 1e9, 1e10);
    assertThat(of(Network.None.USUAL, plain).limitsMoreThanGpus()).isFalse();
    assertThat(of(Network.Contention.USUAL.reserving(0), plain).limitsMoreThanGpus()).isFalse();
    assertThat(of(Network.Contention.USUAL.reserving(1e9), plain).limitsMoreThanGpus()).isTrue();
    assertThat(
            of(new Network.Contention(Network.Contention.USUAL.reserving(1e9).terms()), plain)
                .limitsMoreThanGpus())
        .isFalse();
    assertThat(
            of(Network.None.USUAL, server("s1", 8, "r1", 1e9, 16, UNCOUNTED)).limitsMoreThanGpus())
        .isTrue();
    assertThat(
            of(Network.None.USUAL, server("s1", 8, "r1", 1e9, UNCOUNTED, 64e9))
                .limitsMoreThanGpus())
        .isTrue();
  }

  @Test
  void aModelsOwnReservationComesBeforeTheNetworks() {
    Demand asked = new Demand(4, 16e9);
    Cluster reserved =
        of(Network.Contention.USUAL.reserving(1e9), server("s1", 8, "r1", 1e10, 64, 512e9));
    assertThat(reserved.demand(asked, PLAIN)).isEqualTo(new Demand(4, 16e9, 1e9));
    assertThat(reserved.demand(asked, GREEDY)).isEqualTo(new Demand(4, 16e9, 2e9));
    assertThat(reserved.demand(asked, null)).isEqualTo(asked);
    assertThat(reserved.demand(Demand.NONE, PLAIN)).isEqualTo(new Demand(0, 0, 1e9));
  }

  @Test
  void whereNothingIsReservedNothingIsAskedOfLinks() {
    Demand asked = new Demand(4, 16e9);
    Cluster shared = of(Network.Contention.USUAL, server("s1", 8, "r1", 1e10, 64, 512e9));
    assertThat(shared.demand(asked, GREEDY)).isEqualTo(asked);
    Cluster parts =
        of(Network.Contention.USUAL.reserving(0), server("s1", 8, "r1", 1e10, 64, 512e9));
    assertThat(parts.demand(asked, GREEDY)).isEqualTo(asked);
    // And where nothing is counted, nothing is asked at all.
    Cluster plain = of(Network.Contention.USUAL, new Server("s1", 8, "v100", "r1", 1e9, 1e10));
    assertThat(plain.demand(asked, GREEDY)).isEqualTo(Demand.NONE);
  }

  /** 16 CPUs hold five workers of 3, 64 GB hold four of 16; a tenth ten times is one. */
  @Test
  void aServerHoldsWhatItsScarcestHolds() {
    Server server = server("s1", 8, "r1", 1e9, 16, 64e9);
    assertThat(server.workers(Demand.NONE)).isEqualTo(8);
    assertThat(server.workers(new Demand(3, 0))).isEqualTo(5);
    assertThat(server.workers(new Demand(3, 16e9))).isEqualTo(4);
    assertThat(server.workers(new Demand(17, 0))).isZero();
    assertThat(server("s1", 16, "r1", 1e9, 1, UNCOUNTED).workers(new Demand(0.1, 1e9)))
        .isEqualTo(10);
    assertThat(server("s1", 4, "r1", 1e9, 0.3, UNCOUNTED).workers(new Demand(0.1, 0))).isEqualTo(3);
  }

  /**
   * 4 CPUs a worker. s1 has 8 GPUs but CPUs for two workers, s2 four GPUs and CPUs for four, s3
   * four GPUs and CPUs for three: s2, then s3, then s1.
   */
  @Test
  void theIdealPlacementTakesServersThatHoldMoreFirst() {
    Cluster cluster =
        of(
            Network.None.USUAL,
            server("s1", 8, "r1", 1e9, 8, UNCOUNTED),
            server("s2", 4, "r1", 1e9, 16, UNCOUNTED),
            server("s3", 4, "r1", 1e9, 12, UNCOUNTED));
    Demand four = new Demand(4, 0);
    assertThat(cluster.idealPlacement(4, four)).hasToString("1:4");
    assertThat(cluster.idealPlacement(6, four)).hasToString("1:4 2:2");
    assertThat(cluster.idealPlacement(9, four)).hasToString("1:4 2:3 0:2");
    assertThat(cluster.idealPlacement(8, Demand.NONE)).hasToString("0:8");
  }

  /** The ring takes 2 GB/s: s1 holds eight workers alone, but no ring leaves it. */
  @Test
  void theIdealPlacementAvoidsLinksThatCannotHoldTheRing() {
    Cluster cluster =
        of(
            Network.Contention.USUAL.reserving(2e9),
            server("s1", 8, "r1", 1e9, UNCOUNTED, UNCOUNTED),
            server("s2", 4, "r1", 2e9, UNCOUNTED, UNCOUNTED),
            server("s3", 4, "r1", 3e9, UNCOUNTED, UNCOUNTED),
            server("s4", 4, "r1", 3e9, UNCOUNTED, UNCOUNTED));
    Demand ring = new Demand(0, 0, 2e9);
    assertThat(cluster.idealPlacement(8, ring)).hasToString("0:8");
    assertThat(cluster.idealPlacement(9, ring)).hasToString("1:4 2:4 3:1");
  }

  private record Holder(Cluster cluster, Demand demand) {
    /** Whether an empty cluster holds a ring that uses all of a set of servers. */
    boolean holds(int set) {
      Set<String> racks = new HashSet<>();
      double scarcest = Double.POSITIVE_INFINITY;
      for (int s = 0; s < cluster.size(); s++) {
        if ((set >> s & 1) == 1) {
          racks.add(cluster.racks().isEmpty() ? "" : cluster.server(s).rack());
          scarcest = Math.min(scarcest, cluster.server(s).nicBytesPerSecond());
        }
      }
      for (Rack rack : cluster.racks()) {
        if (racks.size() > 1 && racks.contains(rack.name())) {
          scarcest = Math.min(scarcest, rack.uplinkBytesPerSecond());
        }
      }
      return Integer.bitCount(set) == 1 || demand.ringBytesPerSecond() <= scarcest;
    }

    int room(int set) {
      int room = 0;
      for (int s = 0; s < cluster.size(); s++) {
        int workers = 0;
        Server server = cluster.server(s);
        while (workers < server.gpus()
            && (workers + 1) * demand.cpus() <= server.cpus()
            && (workers + 1) * demand.memoryBytes() <= server.memoryBytes()) {
          workers++;
        }
        room += (set >> s & 1) * workers;
      }
      return room;
    }

    int most() {
      int most = 0;
      for (int set = 1; set < 1 << cluster.size(); set++) {
        most = Math.max(most, holds(set) ? room(set) : 0);
      }
      return most;
    }

    int fewestServers(int workers) {
      int fewest = Integer.MAX_VALUE;
      for (int set = 1; set < 1 << cluster.size(); set++) {
        if (holds(set) && room(set) >= workers) {
          fewest = Math.min(fewest, Integer.bitCount(set));
        }
      }
      return fewest;
    }
  }

  /** Small whole numbers: sums are exact, and often equal to what is there. */
  private static Holder random(RandomGenerator random) {
    int racks = random.nextInt(4);
    List<Rack> all = new ArrayList<>();
    for (int r = 0; r < racks; r++) {
      all.add(new Rack("r" + r, random.nextInt(1, 6)));
    }
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(1, 8);
    for (int s = 0; s < count; s++) {
      servers.add(
          server(
              "s" + s,
              random.nextInt(1, 9),
              "r" + random.nextInt(Math.max(1, racks)),
              random.nextInt(1, 6),
              random.nextBoolean() ? UNCOUNTED : random.nextInt(1, 20),
              random.nextBoolean() ? UNCOUNTED : random.nextInt(1, 20)));
    }
    Network network =
        random.nextBoolean() ? Network.Contention.USUAL.reserving(1) : Network.None.USUAL;
    Demand demand =
        new Demand(
            random.nextInt(4),
            random.nextInt(4),
            network.reservesFixed() ? random.nextInt(1, 6) : 0);
    return new Holder(new Cluster("random", servers, all, network, 0), demand);
  }

  @Test
  void mostWorkersIsWhatTheBestSetOfServersHolds() {
    Seeds.each(
        500,
        (random, _) -> {
          Holder holder = random(random);
          assertThat(holder.cluster.mostWorkers(holder.demand)).isEqualTo(holder.most());
        });
  }

  @Test
  void theIdealPlacementFitsTheEmptyClusterOnTheFewestServers() {
    Seeds.each(
        500,
        (random, _) -> {
          Holder holder = random(random);
          int most = holder.most();
          if (most == 0) {
            return;
          }
          int workers = random.nextInt(1, most + 1);
          Placement ideal = holder.cluster.idealPlacement(workers, holder.demand);
          int set = 0;
          for (int i = 0; i < ideal.size(); i++) {
            set |= 1 << ideal.server(i);
            assertThat(ideal.gpus(i)).isBetween(1, holder.room(1 << ideal.server(i)));
          }
          assertThat(ideal.workers()).isEqualTo(workers);
          assertThat(holder.holds(set)).as("links hold the ring of %s", ideal).isTrue();
          assertThat(ideal.size()).isEqualTo(holder.fewestServers(workers));
        });
  }
}
