package io.ringmaster.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CPUs, memory and links that are free, against a list of who holds what. */
class FreeRestTest {
  @Test
  void everyQuestionIsAnsweredAsByAddingUpWhatIsHeld() {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = Holdings.cluster(random);
          FreeServers servers = new FreeServers(cluster);
          Holdings held = new Holdings(cluster);
          for (int step = 0; step < 60; step++) {
            Demand demand = Holdings.demand(random, cluster);
            Placement placement = Holdings.anywhere(random, cluster);
            assertThat(servers.holds(placement, demand)).isEqualTo(held.holds(placement, demand));
            if (held.holds(placement, demand)) {
              servers.take(placement, demand);
              held.take(placement, demand);
            } else if (held.size() > 0 && random.nextBoolean()) {
              int ended = random.nextInt(held.size());
              servers.release(held.placement(ended), held.demand(ended));
              held.release(ended);
            }
            same(servers, held, cluster, Holdings.demand(random, cluster));
          }
        });
  }

  private static void same(FreeServers servers, Holdings held, Cluster cluster, Demand demand) {
    for (int s = 0; s < cluster.size(); s++) {
      assertThat(servers.workers(s, demand)).isEqualTo(held.workers(s, demand));
      assertThat(servers.workersOfRing(s, demand)).isEqualTo(held.workersOfRing(s, demand));
    }
    for (int r = 0; r < cluster.racks().size(); r++) {
      assertThat(servers.leaves(r, demand)).isEqualTo(held.leavesRack(r, demand));
    }
  }

  /**
   * Tenths are not exact in binary. However often they are taken and given back, ten of them are
   * one, and eleven are not.
   */
  @Test
  void sumsOfTenthsAreWhatTheyLookLike() {
    Server server = new Server("s1", 16, "v100", "a", 1, 1e10, 1, 1, 300);
    Cluster cluster =
        new Cluster(
            "tenths",
            List.of(server, server.named("s2")),
            List.of(new Rack("a", 1)),
            Network.Contention.USUAL.reserving(0.1),
            0);
    FreeServers servers = new FreeServers(cluster);
    Demand tenths = new Demand(0.1, 0.1, 0.1);
    Placement ring = Placement.of(new int[] {0, 1}, new int[] {1, 1});
    for (int round = 0; round < 1000; round++) {
      for (int i = 0; i < 10; i++) {
        assertThat(servers.holds(ring, tenths)).isTrue();
        servers.take(ring, tenths);
      }
      assertThat(servers.holds(ring, tenths)).isFalse();
      assertThat(servers.workers(0, new Demand(0.1, 0))).isZero();
      assertThat(servers.workersOfRing(1, new Demand(0, 0, 0.1))).isZero();
      assertThat(servers.workers(1, Demand.NONE)).isEqualTo(6);
      for (int i = 0; i < 10; i++) {
        servers.release(ring, tenths);
      }
      assertThat(servers.workers(0, tenths)).isEqualTo(10);
    }
  }
}
