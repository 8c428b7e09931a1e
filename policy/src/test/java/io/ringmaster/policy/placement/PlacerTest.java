package io.ringmaster.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.Holdings;
import io.ringmaster.policy.Rooms;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacerTest {
  private static Placer placer(String name, Cluster cluster) {
    return Placer.of(Policies.named("fifo").settings(Map.of("placement", name)), cluster);
  }

  /** Servers of 4, 8, 4 and 8 GPUs; all of them free but half of the third. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    // Most-free servers first, all of each.
    "any, 3, 1:3",
    "any, 10, 1:8 3:2",
    "any, 21, 1:8 3:8 0:4 2:1",
    // One server by best fit, the first of equals; else the freest whole and the rest by best fit.
    "pack, 2, 2:2",
    "pack, 3, 0:3",
    "pack, 5, 1:5",
    "pack, 10, 1:8 2:2",
    "pack, 11, 1:8 0:3",
    "pack, 13, 1:8 3:5",
    "pack, 22, 1:8 3:8 0:4 2:2",
    // One server by best fit; else wholly free ones and the rest on the freest.
    "consolidate, 2, 2:2",
    "consolidate, 3, 0:3",
    "consolidate, 10, 1:8 3:2",
    "consolidate, 17, 1:8 3:8 0:1",
    "consolidate, 22, 1:8 3:8 0:4 2:2",
    // One on each, most free first, and round again.
    "spread, 1, 1:1",
    "spread, 3, 1:1 3:1 0:1",
    "spread, 6, 1:2 3:2 0:1 2:1",
    "spread, 22, 1:8 3:8 0:4 2:2",
  })
  void theRulesByHand(String rule, int workers, String expected) {
    Cluster cluster = Rooms.cluster(4, 8, 4, 8);
    FreeServers free = Rooms.free(cluster, 4, 8, 2, 8);
    assertThat(placer(rule, cluster).place(free, Demand.NONE, workers)).hasToString(expected);
  }

  /** As many GPUs as a job wants, but on servers that others share: it waits. */
  @Test
  void consolidateWaitsForWholeServers() {
    Cluster cluster = Rooms.cluster(8, 8, 8);
    Placer placer = placer("consolidate", cluster);
    assertThat(placer.place(Rooms.free(cluster, 7, 7, 7), Demand.NONE, 8)).isNull();
    assertThat(placer.place(Rooms.free(cluster, 7, 8, 7), Demand.NONE, 16)).isNull();
    assertThat(placer.place(Rooms.free(cluster, 7, 8, 7), Demand.NONE, 15)).hasToString("1:8 0:7");
    assertThat(placer.countSuffices()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "pack", "consolidate", "spread"})
  void takesTheRightNumberAndNeverMoreThanIsFree(String rule) {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          FreeServers free = Rooms.someFree(random, cluster);
          Placer placer = placer(rule, cluster);
          for (int workers = 1; workers <= cluster.totalGpus() + 1; workers++) {
            @Nullable Placement placement = placer.place(free, Demand.NONE, workers);
            if (placement == null) {
              assertThat(placer.countSuffices() && workers <= free.total()).isFalse();
              continue;
            }
            Set<Integer> servers = new HashSet<>();
            int sum = 0;
            for (int i = 0; i < placement.size(); i++) {
              assertThat(placement.gpus(i)).isBetween(1, free.gpus(placement.server(i)));
              assertThat(servers.add(placement.server(i))).isTrue();
              sum += placement.gpus(i);
            }
            assertThat(sum).isEqualTo(workers);
          }
        });
  }

  /**
   * Where CPUs, memory and links are counted: what is found holds the job, and on the empty cluster
   * every job that the cluster holds finds a place.
   */
  @ParameterizedTest
  @ValueSource(strings = {"any", "pack", "consolidate", "spread"})
  void keepsToAllThatIsCounted(String rule) {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = Holdings.cluster(random);
          Placer placer = placer(rule, cluster);
          ScratchServers free = new ScratchServers(cluster);
          Holdings held = new Holdings(cluster);
          for (int step = 0; step < 12; step++) {
            Demand demand = Holdings.demand(random, cluster);
            int workers = random.nextInt(1, cluster.totalGpus() + 1);
            assertThat(placer.place(new ScratchServers(cluster), demand, workers) != null)
                .isEqualTo(workers <= cluster.mostWorkers(demand));
            @Nullable Placement found = placer.place(free, demand, workers);
            if (found != null) {
              assertThat(found.workers()).isEqualTo(workers);
              assertThat(held.holds(found, demand)).as("%s holds %s", found, demand).isTrue();
              free.take(found, demand);
              held.take(found, demand);
            } else if (placer.countSuffices()) {
              assertThat(held.holdsSomewhere(workers, demand)).isFalse();
            }
          }
        });
  }

  /** Whoever finds no place for some workers tries no more of them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatPackHasRoomForHasRoomForFewer(boolean consolidates) {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          if (consolidates) {
            cluster = new Cluster("test", cluster.servers(), Network.Contention.USUAL, 0);
          }
          FreeServers free = Rooms.someFree(random, cluster);
          Pack pack = new Pack(cluster);
          boolean found = true;
          for (int workers = 1; workers <= free.total() + 1; workers++) {
            boolean finds = pack.place(free, Demand.NONE, workers) != null;
            assertThat(found || !finds).as("%d workers", workers).isTrue();
            found = finds;
          }
        });
  }

  /** The walk that skips servers, beside one that goes through all of them. */
  @Test
  void consolidatingPackPassesOverNothingThatItWouldTake() {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster usual = Rooms.random(random);
          Cluster cluster = new Cluster("test", usual.servers(), Network.Contention.USUAL, 0);
          FreeServers free = Rooms.someFree(random, cluster);
          Pack pack = new Pack(cluster);
          for (int workers = 1; workers <= free.total(); workers++) {
            assertThat(pack.place(free, Demand.NONE, workers))
                .isEqualTo(consolidated(free, workers));
          }
        });
  }

  private static @Nullable Placement consolidated(FreeServers free, int workers) {
    int one = free.bestFit(workers);
    if (one >= 0) {
      return Placement.on(one, workers);
    }
    PlacementBuilder builder = new PlacementBuilder().clear();
    int left = workers;
    for (int s = free.freest(); s >= 0; s = free.nextFreest(s)) {
      if (free.gpus(s) >= left) {
        break;
      }
      if (free.gpus(s) == free.cluster().gpus(s)) {
        builder.add(s, free.gpus(s));
        left -= free.gpus(s);
      }
    }
    int last = free.bestFit(left);
    while (last >= 0 && builder.uses(last)) {
      last = free.nextTightest(last);
    }
    if (last < 0) {
      return null;
    }
    builder.add(last, left);
    return builder.build();
  }

  /** Compared with all sets of servers that have room. */
  @Test
  void packUsesTheFewestServersAndTheTightestIfOneWillDo() {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          FreeServers free = Rooms.someFree(random, cluster);
          Placer placer = placer("pack", cluster);
          for (int workers = 1; workers <= free.total(); workers++) {
            int fewest = Integer.MAX_VALUE;
            int tightest = Integer.MAX_VALUE;
            for (int set = 1; set < 1 << cluster.size(); set++) {
              int room = 0;
              for (int s = 0; s < cluster.size(); s++) {
                room += (set >> s & 1) * free.gpus(s);
              }
              if (room >= workers) {
                fewest = Math.min(fewest, Integer.bitCount(set));
                tightest = Integer.bitCount(set) == 1 ? Math.min(tightest, room) : tightest;
              }
            }
            Placement placement = Objects.requireNonNull(placer.place(free, Demand.NONE, workers));
            assertThat(placement.size()).isEqualTo(fewest);
            if (fewest == 1) {
              assertThat(free.gpus(placement.server(0))).isEqualTo(tightest);
            }
          }
        });
  }

  /** One server, or whole ones and one more; and a job waits only if there is no such place. */
  @Test
  void consolidateUsesOneServerOrWholeOnesAndOneMore() {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          FreeServers free = Rooms.someFree(random, cluster);
          Placer placer = placer("consolidate", cluster);
          for (int workers = 1; workers <= free.total(); workers++) {
            @Nullable Placement placement = placer.place(free, Demand.NONE, workers);
            assertThat(placement != null)
                .as("%d workers have a place", workers)
                .isEqualTo(consolidates(cluster, free, workers));
            if (placement != null && placement.size() > 1) {
              int shared = 0;
              for (int i = 0; i < placement.size(); i++) {
                shared += placement.gpus(i) < cluster.gpus(placement.server(i)) ? 1 : 0;
              }
              assertThat(shared).isLessThanOrEqualTo(1);
            }
          }
        });
  }

  /** True if some server holds all, or some whole servers and one more do. */
  private static boolean consolidates(Cluster cluster, FreeServers free, int workers) {
    for (int set = 0; set < 1 << cluster.size(); set++) {
      int left = workers;
      boolean whole = true;
      for (int s = 0; s < cluster.size(); s++) {
        if ((set >> s & 1) == 1) {
          whole &= free.gpus(s) == cluster.gpus(s);
          left -= free.gpus(s);
        }
      }
      for (int s = 0; whole && left > 0 && s < cluster.size(); s++) {
        if ((set >> s & 1) == 0 && free.gpus(s) >= left) {
          return true;
        }
      }
    }
    return false;
  }

  /** No server has two workers more than another that has room. */
  @Test
  void spreadIsAsEvenAsTheServersAllow() {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          FreeServers free = Rooms.someFree(random, cluster);
          for (int workers = 1; workers <= free.total(); workers++) {
            Placement placement =
                Objects.requireNonNull(placer("spread", cluster).place(free, Demand.NONE, workers));
            int[] on = new int[cluster.size()];
            for (int i = 0; i < placement.size(); i++) {
              on[placement.server(i)] = placement.gpus(i);
            }
            for (int a = 0; a < on.length; a++) {
              for (int b = 0; b < on.length; b++) {
                assertThat(on[a] > on[b] + 1 && on[b] < free.gpus(b)).isFalse();
              }
            }
          }
        });
  }

  @Test
  void autoConsolidatesWhereCrossingServersCostsTime() {
    Cluster free = Cluster.uniform(2, 4, Network.None.USUAL, 0);
    Cluster contended = Cluster.uniform(2, 4, Network.Contention.USUAL, 0);
    assertThat(placer("auto", free)).isInstanceOf(Pack.class);
    assertThat(placer("auto", contended)).isInstanceOf(Consolidate.class);
  }
}
