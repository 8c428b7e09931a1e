package io.ringmaster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions that take more than GPUs. */
class LedgerCapacitiesTest {
  private static final double GIGABYTE = 1e9;

  /**
   * Servers of 8 GPUs, 16 CPUs, 64 GB and a link of 4 bytes a second; two in rack a, two in rack b,
   * uplinks of 3 bytes a second.
   */
  private static Cluster cluster() {
    Server server = new Server("s1", 8, "v100", "a", 4, 1e10, 16, 64 * GIGABYTE, 300);
    Server other = new Server("s3", 8, "v100", "b", 4, 1e10, 16, 64 * GIGABYTE, 300);
    return new Cluster(
        "test",
        List.of(server, server.named("s2"), other, other.named("s4")),
        List.of(new Rack("a", 3), new Rack("b", 3)),
        Network.Contention.USUAL.reserving(2),
        0);
  }

  /** Jobs 0 and 1 are rich in CPUs, 2 and 3 in memory, 4 to 7 in bandwidth. */
  private static final class Asking implements Ledger.Gangs {
    @Override
    public int minGpus(int job) {
      return 1;
    }

    @Override
    public int maxGpus(int job) {
      return 8;
    }

    @Override
    public Demand demand(int job) {
      return switch (job / 2) {
        case 0 -> new Demand(5, 0);
        case 1 -> new Demand(0, 24 * GIGABYTE);
        default -> new Demand(0, 0, 2);
      };
    }

    @Override
    public String id(int job) {
      return "j" + job;
    }
  }

  private final Ledger ledger = new Ledger("tested", cluster(), new Asking(), 8);

  @BeforeEach
  void jobsArrive() {
    for (int job = 0; job < 8; job++) {
      ledger.submit(job);
    }
    ledger.open(5);
  }

  private static Placement ring(int... servers) {
    return Placement.of(servers, Arrays.stream(servers).map(_ -> 1).toArray());
  }

  private void refused(int job, Placement placement, String what) {
    assertThatThrownBy(() -> ledger.start(job, placement))
        .isInstanceOf(BrokenDecision.class)
        .hasMessage("policy tested at 5.0 s: job j" + job + " takes " + what);
    assertThat(ledger.waiting(job)).isTrue();
  }

  /** Three workers of 5 CPUs fit 16, a fourth does not. */
  @Test
  void moreCpusThanAreFree() {
    String what =
        "Demand[cpus=5.0, memoryBytes=0.0, ringBytesPerSecond=0.0, where=Where[kinds=[],"
            + " mixes=true, perServer=0, piece=1]] beside GPUs, which is not free on 0:";
    refused(0, Placement.on(0, 4), what + 4);
    ledger.start(0, Placement.on(0, 2));
    refused(1, Placement.on(0, 2), what + 2);
    ledger.start(1, Placement.on(0, 1));
    ledger.end(0);
    ledger.submit(0);
    ledger.start(0, Placement.on(0, 2));
  }

  /** Two workers of 24 GB fit 64 GB. */
  @Test
  void moreMemoryThanIsFree() {
    ledger.start(2, Placement.on(1, 1));
    refused(
        3,
        Placement.on(1, 2),
        "Demand[cpus=0.0, memoryBytes=2.4E10, ringBytesPerSecond=0.0, where=Where[kinds=[],"
            + " mixes=true, perServer=0, piece=1]] beside GPUs, which is not free on 1:2");
    ledger.start(3, Placement.on(1, 1));
  }

  private static final String RING =
      "Demand[cpus=0.0, memoryBytes=0.0, ringBytesPerSecond=2.0, where=Where[kinds=[],"
          + " mixes=true, perServer=0, piece=1]] beside GPUs, which is not free on ";

  /** Two rings of 2 fill a link of 4. A job on one server takes nothing of it. */
  @Test
  void moreOfALinkThanIsFree() {
    ledger.start(4, ring(0, 1));
    ledger.start(5, ring(0, 1));
    refused(6, ring(0, 1), RING + "0:1 1:1");
    refused(6, ring(1, 2), RING + "1:1 2:1");
    ledger.start(6, Placement.on(0, 4));
    ledger.suspend(5);
    ledger.start(7, ring(0, 1));
  }

  /** One ring of 2 leaves only 1 of an uplink of 3; inside the rack it does not matter. */
  @Test
  void moreOfAnUplinkThanIsFree() {
    ledger.start(4, ring(0, 2));
    refused(5, ring(1, 3), RING + "1:1 3:1");
    ledger.start(5, ring(0, 1));
    ledger.start(6, ring(2, 3));
    ledger.end(4);
    ledger.start(7, ring(1, 3));
  }

  /** A refused resize keeps what the job had, links included. */
  @Test
  void aRefusedResizeChangesNothing() {
    ledger.start(4, ring(0, 2));
    ledger.start(5, ring(0, 1));
    assertThatThrownBy(() -> ledger.resize(5, ring(1, 3))).isInstanceOf(BrokenDecision.class);
    assertThat(ledger.placement(5)).isEqualTo(ring(0, 1));
    Demand two = new Demand(0, 0, 2);
    assertThat(ledger.free().workersOfRing(0, two)).isZero();
    assertThat(ledger.free().workersOfRing(1, two)).isEqualTo(7);
    assertThat(ledger.free().leaves(0, two)).isFalse();
    ledger.resize(5, Placement.on(0, 2));
    assertThat(ledger.free().workersOfRing(0, two)).isEqualTo(5);
  }
}
