package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.policy.Rooms;
import io.ringmaster.policy.gadget.ConfigurationLp.Share;
import io.ringmaster.policy.gadget.ConfigurationLp.Solution;
import io.ringmaster.policy.gadget.LpRows.PodClass;
import io.ringmaster.policy.gadget.LpRows.RackClass;
import io.ringmaster.policy.gadget.LpRows.ServerClass;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ConfigurationLpTest {
  private static final double TOLERANCE = 1e-6;
  private static final Offset<Double> CLOSE = within(TOLERANCE);
  private static final double NO = Double.NEGATIVE_INFINITY;

  private static List<SlotJob> twoRings(double reserved) {
    Demand demand = new Demand(0, 0, reserved);
    return List.of(Slots.fixed(0, demand, 3, NO, 3), Slots.fixed(1, demand, 3, NO, 3));
  }

  private static double sum(Solution solution, int job) {
    return solution.shares().get(job).stream().mapToDouble(Share::fraction).sum();
  }

  /**
   * One server of 4 GPUs; jobs of 3 workers are worth 3 and 2. 3 f + 3 g is at most 4: f = 1 and g
   * = 1/3, worth 3 + 2/3. Whole jobs: 3.
   */
  @Test
  void gpusByHand() {
    List<SlotJob> jobs =
        List.of(Slots.fixed(0, Demand.NONE, 3, 3, NO), Slots.fixed(1, Demand.NONE, 3, 2, NO));
    SlotProblem problem = new SlotProblem(Rooms.cluster(4), jobs);
    Solution solution = ConfigurationLp.solve(problem);
    assertThat(solution.upperBound()).isCloseTo(3 + 2 / 3.0, CLOSE);
    assertThat(sum(solution, 0)).isCloseTo(1, CLOSE);
    assertThat(sum(solution, 1)).isCloseTo(1 / 3.0, CLOSE);
    assertThat(Slots.best(problem)).isEqualTo(3);
  }

  /**
   * Servers of 3 and 2 GPUs. Two jobs of 3 workers on one server, worth 6 and 3, share the first: f
   * + g is at most 1. A third of 2 workers is worth 1. In all 6 + 1; a heap of 5 GPUs would be
   * worth 6 + 2/3 * 3 = 8.
   */
  @Test
  void serversHaveWalls() {
    List<SlotJob> jobs =
        List.of(
            Slots.fixed(0, Demand.NONE, 3, 6, NO),
            Slots.fixed(1, Demand.NONE, 3, 3, NO),
            Slots.fixed(2, Demand.NONE, 2, 1, NO));
    SlotProblem problem = new SlotProblem(Rooms.cluster(3, 2), jobs);
    assertThat(ConfigurationLp.solve(problem).upperBound()).isCloseTo(7, CLOSE);
    assertThat(KnapsackBound.of(problem)).isCloseTo(8, CLOSE);
  }

  /**
   * Two servers of 2 GPUs, links of 10. Rings of 3 workers, worth 3, reserve 8 on both links. Of
   * links 16 (f + g) is at most 20, of GPUs 3 (f + g) at most 4: f + g = 5/4, worth 3.75. By GPUs
   * alone it would be 4.
   */
  @Test
  void linksByHand() {
    List<Server> servers =
        List.of(new Server("a", 2, "v100", "r", 10, 100), new Server("b", 2, "v100", "r", 10, 100));
    Cluster cluster = new Cluster("test", servers, Network.Contention.USUAL.reserving(8), 0);
    SlotProblem problem = new SlotProblem(cluster, twoRings(8));
    assertThat(ConfigurationLp.solve(problem).upperBound()).isCloseTo(3.75, CLOSE);
    assertThat(KnapsackBound.of(problem)).isCloseTo(4, CLOSE);
    // A link holds no ring of 11 at all.
    assertThat(ConfigurationLp.solve(new SlotProblem(cluster, twoRings(11))).upperBound()).isZero();
  }

  /** The same with wide links, but in two racks: 8 (f + g) is at most 10 on either uplink. */
  @Test
  void uplinksByHand() {
    List<Server> servers =
        List.of(new Server("a", 2, "v100", "x", 99, 100), new Server("b", 2, "v100", "y", 99, 100));
    List<Rack> racks = List.of(new Rack("x", 10), new Rack("y", 10));
    Cluster cluster = new Cluster("test", servers, racks, Network.Contention.USUAL.reserving(8), 0);
    SlotProblem problem = new SlotProblem(cluster, twoRings(8));
    assertThat(ConfigurationLp.solve(problem).upperBound()).isCloseTo(3.75, CLOSE);
  }

  @Test
  void noJobsNoProfit() {
    Solution solution = ConfigurationLp.solve(new SlotProblem(Rooms.cluster(4), List.of()));
    assertThat(solution.upperBound()).isZero();
    assertThat(solution.shares()).isEmpty();
  }

  @Test
  void liesBetweenTheBestPlanAndTheKnapsack() {
    Seeds.each(
        120,
        (random, seed) -> {
          SlotProblem problem = Slots.random(random);
          Solution solution = ConfigurationLp.solve(problem);
          assertThat(solution.upperBound())
              .isGreaterThanOrEqualTo(Slots.best(problem) - TOLERANCE)
              .isLessThanOrEqualTo(KnapsackBound.of(problem) + TOLERANCE);
          for (int j = 0; j < problem.jobs().size(); j++) {
            assertThat(sum(solution, j)).isLessThanOrEqualTo(1 + TOLERANCE);
          }
        });
  }

  /** Memory that nobody lacks, and of which no two servers have the same, parts the classes. */
  @Test
  void classesOfServersAreAsGoodAsServers() {
    Seeds.each(
        120,
        (random, seed) -> {
          SlotProblem problem = Slots.random(random);
          SlotProblem parted = parted(problem);
          for (RackClass rack : new LpRows(parted).racks()) {
            assertThat(rack.servers()).allMatch(c -> c.count() == 1);
          }
          double bound = ConfigurationLp.solve(problem).upperBound();
          assertThat(ConfigurationLp.solve(parted).upperBound())
              .isCloseTo(bound, within(2e-6 * (1 + bound)));
        });
  }

  private static SlotProblem parted(SlotProblem problem) {
    Cluster cluster = problem.cluster();
    List<Server> servers = new ArrayList<>();
    for (Server s : cluster.servers()) {
      double memory = Double.isFinite(s.memoryBytes()) ? s.memoryBytes() : 1e6;
      servers.add(
          new Server(
              s.name(),
              s.gpus(),
              s.gpu(),
              s.rack(),
              s.nicBytesPerSecond(),
              s.intraBytesPerSecond(),
              s.cpus(),
              memory * (1 + 1e-12 * servers.size()),
              s.gpuWatts()));
    }
    List<SlotJob> jobs = new ArrayList<>();
    for (SlotJob job : problem.jobs()) {
      Demand d = job.demand();
      Demand some =
          new Demand(
              d.cpus(), d.memoryBytes() > 0 ? d.memoryBytes() : 1e-6, d.ringBytesPerSecond());
      double[] onOne = new double[job.maxWorkers() - job.minWorkers() + 1];
      double[] across = new double[onOne.length];
      for (int i = 0; i < onOne.length; i++) {
        onOne[i] = job.mostOnOneServer(job.minWorkers() + i);
        across[i] = job.mostAcrossServers(job.minWorkers() + i);
      }
      jobs.add(Slots.job(job.id(), some, job.minWorkers(), onOne, across, null));
    }
    return new SlotProblem(
        new Cluster("parted", servers, cluster.racks(), cluster.network(), 0), jobs);
  }

  /** At any prices, the cheapest of all placements, and its usage costs what it is said to cost. */
  @Test
  void pricesAreThoseOfTheCheapestPlacement() {
    Seeds.each(
        120,
        (random, seed) -> {
          SlotProblem problem = Slots.random(random);
          LpRows rows = new LpRows(parted(problem));
          double[] prices = random.doubles(rows.count(), 0, 3).toArray();
          Demand demand = parted(problem).jobs().getFirst().demand();
          int most = Math.min(6, problem.cluster().totalGpus());
          RingPrices ring = new RingPrices(rows, demand, most);
          ring.update(prices);
          double[] one = new double[most + 1];
          double[] across = new double[most + 1];
          Arrays.fill(one, Double.POSITIVE_INFINITY);
          Arrays.fill(across, Double.POSITIVE_INFINITY);
          for (Placement p : Slots.all(problem.cluster(), demand, 1, most)) {
            double[] least = p.crossesServers() ? across : one;
            double cost = cost(parted(problem).cluster(), rows, demand, prices, p);
            least[p.workers()] = Math.min(least[p.workers()], cost);
          }
          for (int w = 1; w <= most; w++) {
            assertThat(ring.onOneServer(w)).isCloseTo(one[w], CLOSE);
            assertThat(ring.acrossServers(w)).isCloseTo(across[w], CLOSE);
            if (one[w] < Double.POSITIVE_INFINITY) {
              assertThat(Column.of(0, w, 0, ring.usageOnOneServer(w)).cost(prices))
                  .isCloseTo(one[w], CLOSE);
            }
            if (across[w] < Double.POSITIVE_INFINITY) {
              assertThat(Column.of(0, w, 0, ring.usageAcrossServers(w)).cost(prices))
                  .isCloseTo(across[w], CLOSE);
            }
          }
        });
  }

  private static double cost(
      Cluster cluster, LpRows rows, Demand demand, double[] prices, Placement p) {
    double cost = 0;
    Set<RackClass> left = new HashSet<>();
    Set<PodClass> leftPods = new HashSet<>();
    for (int i = 0; i < p.size(); i++) {
      Server server = cluster.server(p.server(i));
      for (PodClass pod : rows.pods()) {
        for (RackClass rack : pod.racks()) {
          for (ServerClass own : rack.servers()) {
            if (own.server().equals(server)) {
              cost += p.gpus(i) * rows.workerPrice(own, demand, prices);
              cost += p.crossesServers() ? rows.linkPrice(own, demand, prices) : 0;
              boolean first = cluster.topology().tiers(p) > 0 && left.add(rack);
              cost += first ? rows.uplinkPrice(rack, demand, prices) : 0;
              boolean firstOfPod = cluster.topology().tiers(p) > 1 && leftPods.add(pod);
              cost += firstOfPod ? rows.uplinkPrice(pod, demand, prices) : 0;
            }
          }
        }
      }
    }
    return cost;
  }
}
