package io.ringmaster.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.policy.Holdings;
import io.ringmaster.policy.Rooms;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PackByRackTest {
  /** GPUs of servers, in rack a up to a number of servers, then in rack b; links of 4 bytes. */
  private static Cluster racks(int inFirst, double uplink, int... gpus) {
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < gpus.length; s++) {
      String rack = s < inFirst ? "a" : "b";
      servers.add(new Server(Cluster.serverName(s), gpus[s], "v100", rack, 4, 1e10));
    }
    List<Rack> racks = new ArrayList<>(List.of(new Rack("a", uplink)));
    if (inFirst < gpus.length) {
      racks.add(new Rack("b", uplink));
    }
    return new Cluster("test", servers, racks, Network.Contention.USUAL.reserving(1), 0);
  }

  private static String place(ScratchServers free, double ring, int workers) {
    Placement found = new Pack().place(free, Demand.NONE.reserving(ring), workers);
    return String.valueOf(found);
  }

  private static String place(Cluster cluster, double ring, int workers) {
    return place(new ScratchServers(cluster), ring, workers);
  }

  /** Six fit the server of six better than that of eight, however thin its link is. */
  @Test
  void oneServerIfOneHoldsIt() {
    Cluster cluster = racks(3, 4, 8, 6, 4);
    assertThat(place(cluster, 9, 6)).isEqualTo("1:6");
    assertThat(place(cluster, 9, 7)).isEqualTo("0:7");
  }

  /** Ten: rack a has 12 free, rack b 11. Fewer servers would do in a; b is the tighter. */
  @Test
  void elseTheTightestRack() {
    Cluster cluster = racks(2, 4, 8, 4, 5, 4, 2);
    assertThat(place(cluster, 2, 10)).isEqualTo("2:5 3:4 4:1");
    assertThat(place(cluster, 2, 12)).isEqualTo("0:8 1:4");
  }

  /** 13 are in no rack; the freest of all, and the last two where two are free. */
  @Test
  void elseAllRacksIfTheirUplinksHoldTheRing() {
    Cluster cluster = racks(2, 4, 8, 4, 5, 4, 2);
    assertThat(place(cluster, 4, 15)).isEqualTo("0:8 2:5 4:2");
    assertThat(place(racks(2, 3, 8, 4, 5, 4, 2), 4, 15)).isEqualTo("null");
  }

  @Test
  void linksThatAreReservedUpArePassedOver() {
    Cluster cluster = racks(4, 4, 8, 4, 4, 4);
    ScratchServers free = new ScratchServers(cluster);
    free.take(Placement.of(new int[] {0, 1}, new int[] {1, 1}), Demand.NONE.reserving(3));
    assertThat(place(free, 1, 10)).isEqualTo("0:7 1:3");
    assertThat(place(free, 2, 8)).isEqualTo("2:4 3:4");
    assertThat(place(free, 2, 9)).isEqualTo("null");
    assertThat(place(free, 2, 7)).isEqualTo("0:7");
  }

  /** Nobody leaves the only rack there is: its uplink does not matter. */
  @Test
  void theUplinkOfTheOnlyRackIsNotUsed() {
    assertThat(place(racks(2, 1, 4, 4), 4, 8)).isEqualTo("0:4 1:4");
  }

  /**
   * Whatever is taken already: a place that is found holds the job, and none is found only if no
   * set of servers holds it.
   */
  @Test
  void findsAPlaceIfAndOnlyIfThereIsOne() {
    Seeds.each(
        300,
        (random, _) -> {
          Cluster cluster = Holdings.cluster(random);
          ScratchServers free = new ScratchServers(cluster);
          Holdings held = new Holdings(cluster);
          Placer placer = new Pack();
          for (int step = 0; step < 12; step++) {
            Demand demand = Holdings.demand(random, cluster);
            int workers = random.nextInt(1, cluster.totalGpus() + 1);
            @Nullable Placement found = placer.place(free, demand, workers);
            assertThat(found != null).isEqualTo(held.holdsSomewhere(workers, demand));
            if (found != null) {
              assertThat(found.workers()).isEqualTo(workers);
              assertThat(held.holds(found, demand)).as("%s holds %s", found, demand).isTrue();
              if (workers < 6) {
                free.take(found, demand);
                held.take(found, demand);
              }
            }
          }
        });
  }

  /** On one big switch where nothing else is counted, free GPUs are enough. */
  @Test
  void freeGpusAreEnoughWhereNothingElseIsCounted() {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          Placer placer = new Pack();
          var free = Rooms.someFree(random, cluster);
          for (int workers = 1; workers <= cluster.totalGpus(); workers++) {
            @Nullable Placement found = placer.place(free, Demand.NONE, workers);
            assertThat(found != null).isEqualTo(workers <= free.total());
            assertThat(found == null || free.holds(found, Demand.NONE)).isTrue();
          }
        });
  }
}
