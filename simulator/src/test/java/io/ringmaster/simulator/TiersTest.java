package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rings over the uplinks of racks and pods, by hand: see {@link ContentionScheduleTest} for what an
 * iteration is made of. Eight servers of 8 GPUs, two in each rack, two racks in each pod.
 */
class TiersTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final RingTerms TERMS = new RingTerms(1, 0.5, 0, 0.5e9);
  private static final Network CONTENTION = new Network.Contention(TERMS);

  private static Cluster cluster(Network network, double rackUplink, double podUplink) {
    List<Server> servers = new ArrayList<>();
    List<Rack> racks = new ArrayList<>();
    for (int r = 0; r < 4; r++) {
      racks.add(new Rack("r" + r, rackUplink, new Pod("p" + r / 2, podUplink)));
      for (int s = 0; s < 2; s++) {
        String name = Cluster.serverName(servers.size());
        servers.add(new Server(name, 8, "v100", "r" + r, 1e9, 4e9));
      }
    }
    return new Cluster("tiers", servers, racks, network, 0);
  }

  private static double alone(Cluster cluster, Placement placement) {
    ModelProfile ring = Pairs.MODELS.profile(Pairs.MODELS.indexOf("ring"));
    return IterationTime.of(cluster).seconds(ring, placement, 1);
  }

  /** An exchange of 1 s over servers' links takes 2 s over an uplink with half as much. */
  @Test
  void aNarrowUplinkHoldsUpARingAlone() {
    assertThat(alone(cluster(CONTENTION, 0.5e9, 8e9), Scripted.ring(0, 1))).isEqualTo(3);
    assertThat(alone(cluster(CONTENTION, 0.5e9, 8e9), Scripted.ring(0, 2))).isEqualTo(4);
    assertThat(alone(cluster(CONTENTION, 8e9, 0.25e9), Scripted.ring(0, 2))).isEqualTo(3);
    assertThat(alone(cluster(CONTENTION, 8e9, 0.25e9), Scripted.ring(0, 4))).isEqualTo(6);
  }

  /** As two rings on one server, though these share an uplink alone. */
  @Test
  void twoRingsShareTheUplinkOfARack() {
    RunResult run =
        Scripted.run(
            cluster(CONTENTION, 1e9, 8e9),
            Pairs.jobs(0, 30, 30, 30),
            Scripted.ring(0, 2),
            Scripted.ring(1, 3));
    assertThat(run.finishSeconds(0)).isCloseTo(120, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(150, EXACT);
  }

  /** The same with rings of other racks: what they share is the uplink of both pods. */
  @Test
  void twoRingsShareTheUplinkOfAPod() {
    RunResult run =
        Scripted.run(
            cluster(CONTENTION, 8e9, 1e9),
            Pairs.jobs(0, 30, 30, 30),
            Scripted.ring(0, 4),
            Scripted.ring(2, 6));
    assertThat(run.finishSeconds(0)).isCloseTo(120, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(150, EXACT);
  }

  /** With 2 GB/s two rings have 2 / 2.5 = 0.8 GB/s each: 1.25 s. With 4 GB/s it does not matter. */
  @Test
  void aWiderUplinkHoldsUpLess() {
    Jobs jobs = Pairs.jobs(0, 30, 0, 30);
    Placement[] places = {Scripted.ring(0, 2), Scripted.ring(1, 3)};
    RunResult some = Scripted.run(cluster(CONTENTION, 2e9, 8e9), jobs, places);
    assertThat(some.finishSeconds(0)).isCloseTo(30 * 3.25, EXACT);
    RunResult wide = Scripted.run(cluster(CONTENTION, 4e9, 8e9), jobs, places);
    assertThat(wide.finishSeconds(0)).isCloseTo(30 * 3, EXACT);
  }

  /**
   * Each transmits a third of the time: k = 4/3, f = 1.5, 3.5 s. An uplink with twice as much is
   * not filled by that.
   */
  @Test
  void aRingCountsOnAnUplinkAsFarAsItTransmits() {
    Jobs jobs = Pairs.jobs(0, 30, 0, 30);
    Placement[] places = {Scripted.ring(0, 2), Scripted.ring(1, 3)};
    Network transmit = new Network.Transmit(TERMS);
    RunResult some = Scripted.run(cluster(transmit, 1e9, 8e9), jobs, places);
    assertThat(some.finishSeconds(0)).isCloseTo(30 * 3.5, EXACT);
    RunResult wide = Scripted.run(cluster(transmit, 2e9, 8e9), jobs, places);
    assertThat(wide.finishSeconds(0)).isCloseTo(30 * 3, EXACT);
  }

  /** A GPU has an eighth of its server's 1 GB/s, a 16th of its rack's and a 32nd of its pod's. */
  @Test
  void partsAndSharesOfUplinksGoByGpus() {
    Network reserved = CONTENTION.reserving(0);
    assertThat(alone(cluster(reserved, 1e9, 1e9), Scripted.ring(0, 1))).isEqualTo(8 + 2);
    assertThat(alone(cluster(reserved, 1e9, 1e9), Scripted.ring(0, 2))).isEqualTo(16 + 2);
    assertThat(alone(cluster(reserved, 1e9, 1e9), Scripted.ring(0, 4))).isEqualTo(32 + 2);
    Network share = CONTENTION.sharing(Pipelining.STEADY);
    assertThat(alone(cluster(share, 1e9, 1e9), Scripted.ring(0, 1))).isEqualTo(8 + 1);
    assertThat(alone(cluster(share, 1e9, 1e9), Scripted.ring(0, 2))).isEqualTo(16 + 1);
    assertThat(alone(cluster(share, 1e9, 1e9), Scripted.ring(0, 4))).isEqualTo(32 + 1);
  }

  @Test
  void jobsStayInARackOrPodIfTheyCan() {
    Jobs jobs =
        Jobs.builder(Pairs.MODELS)
            .addDuration("a", 0, 8, 100, "ring")
            .addDuration("b", 0, 16, 100, "ring")
            .addDuration("c", 0, 24, 100, "ring")
            .build();
    List<String> places = new ArrayList<>();
    RunObserver watcher =
        new RunObserver() {
          @Override
          public void segment(
              int job, double start, double end, double warmup, Placement placement) {
            places.add(placement.toString());
          }
        };
    Runs.run(cluster(CONTENTION, 1e9, 1e9), jobs, "fifo", 1, watcher);
    assertThat(places).containsExactlyInAnyOrder("0:8", "2:8 3:8", "4:8 5:8 6:8");
  }

  @Test
  void aLengthIsThatOnTheFewestTiers() {
    Cluster cluster = cluster(CONTENTION, 1e9, 1e9);
    assertThat(cluster.idealPlacement(16)).hasToString("0:8 1:8");
    assertThat(cluster.idealPlacement(24)).hasToString("0:8 1:8 2:8");
    List<Server> gone = cluster.servers().subList(1, 8);
    assertThat(cluster.having(gone).idealPlacement(16)).hasToString("1:8 2:8");
    assertThat(cluster.having(gone).idealPlacement(32)).hasToString("3:8 4:8 5:8 6:8");
  }

  /** Racks, pods, failures of servers, racks and jobs, all networks, rigid and elastic jobs. */
  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void everyPolicyKeepsToWhatLinksCarry(PolicyVariants variant) {
    Seeds.each(
        7,
        (random, seed) -> {
          Cluster cluster = random(random, seed);
          Jobs jobs = Workloads.mixed(random, cluster, 20, seed % 4 < 2);
          Segments rows = new Segments();
          RunResult run = Runs.run(cluster, jobs, variant.policy(), seed, rows, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, rows, run)).isEmpty();
        });
  }

  private static Cluster random(RandomGenerator random, long seed) {
    Network shared = Workloads.contention(random);
    Network network =
        switch ((int) (seed % 7)) {
          case 0 -> shared;
          case 1 -> new Network.Transmit(shared.terms());
          case 2 -> shared.reserving(0);
          case 3 -> shared.sharing(Pipelining.STEADY);
          case 4 -> shared.reserving(0.1e9);
          case 5 -> new Network.Shifted(shared.terms(), Network.Shifted.USUAL_SLACK);
          default -> new Network.Priority(shared.terms());
        };
    List<Server> servers = new ArrayList<>();
    List<Rack> racks = new ArrayList<>();
    Pod[] pods = {
      new Pod("p0", random.nextInt(1, 20) * 1e9 / 8), new Pod("p1", random.nextInt(1, 20) * 1e9 / 8)
    };
    for (int r = 0; r < 4; r++) {
      racks.add(new Rack("r" + r, random.nextInt(1, 20) * 1e9 / 8, pods[r % 2]));
      for (int s = random.nextInt(1, 4); s > 0; s--) {
        String name = Cluster.serverName(servers.size());
        servers.add(new Server(name, random.nextInt(1, 9), "v100", "r" + r, 1.25e9, 12.5e9));
      }
    }
    Failures failures = new Failures(20_000, 100, 2000, 1000);
    Cluster calm = new Cluster("random", servers, racks, network, 10);
    return seed % 2 == 0 ? calm : calm.failing(failures, List.of());
  }
}
