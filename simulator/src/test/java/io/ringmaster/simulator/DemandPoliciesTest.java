package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clusters that limit more than GPUs. The ledger throws if a policy gives out what is not there.
 */
class DemandPoliciesTest {
  private static final double GIGABIT = 1e9 / 8;
  private static final ModelTable MODELS =
      ModelTable.standard()
          .with(
              List.of(
                  new ModelProfile("chatty", 100e6, 32, 1e-3, 0.05, "made up")
                      .reserving(3 * GIGABIT)));

  private static Server server(String name, int gpus, String rack, double cpus, double memory) {
    return new Server(name, gpus, "v100", rack, 10 * GIGABIT, 300 * GIGABIT, cpus, memory, 300);
  }

  private static Cluster oneServer(int gpus, double cpus, double memory, double restartSeconds) {
    List<Server> servers = List.of(server("s1", gpus, "r1", cpus, memory));
    return new Cluster("one", servers, Network.None.USUAL, restartSeconds);
  }

  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void everyJobEndsAndNothingIsGivenOutTwice(PolicyVariants variant) {
    Seeds.each(
        24,
        (random, seed) -> {
          Cluster cluster = cluster(random, seed);
          assertThat(cluster.limitsMoreThanGpus()).isTrue();
          Jobs jobs = jobs(random, cluster, 25, seed % 4 < 2);
          Segments rows = new Segments();
          RunResult run = Runs.run(cluster, jobs, variant.policy(), seed, rows, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, rows, run)).isEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void theSameSeedGivesTheSameRun(PolicyVariants variant) {
    Seeds.each(
        3,
        (random, seed) -> {
          Cluster cluster = cluster(random, seed);
          Jobs jobs = jobs(random, cluster, 25, true);
          RunResult once = Runs.run(cluster, jobs, variant.policy(), variant.given());
          RunResult again = Runs.run(cluster, jobs, variant.policy(), variant.given());
          for (int job = 0; job < jobs.size(); job++) {
            assertThat(again.finishSeconds(job)).isEqualTo(once.finishSeconds(job));
          }
        });
  }

  /** Counted CPUs, counted memory, or rings that reserve; in racks or not. */
  private static Cluster cluster(RandomGenerator random, long seed) {
    Network network =
        switch ((int) (seed % 3)) {
          case 0 -> Network.None.USUAL;
          case 1 -> Workloads.sharing(random, seed / 3);
          default -> Network.Contention.USUAL.reserving(random.nextInt(1, 6) * GIGABIT);
        };
    int racks = random.nextInt(4);
    List<Pod> pods =
        List.of(
            new Pod("p0", random.nextInt(1, 20) * GIGABIT),
            new Pod("p1", random.nextInt(1, 20) * GIGABIT));
    boolean inPods = random.nextBoolean();
    List<Rack> inRacks = new ArrayList<>();
    for (int r = 0; r < racks; r++) {
      Pod pod = inPods ? pods.get(r % 2) : null;
      inRacks.add(new Rack("r" + r, random.nextInt(1, 20) * GIGABIT, pod));
    }
    boolean counted = !network.reservesFixed() || random.nextBoolean();
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(Math.max(1, racks), 8);
    for (int s = 0; s < count; s++) {
      int gpus = random.nextInt(1, 9);
      double cpus = counted ? gpus * random.nextInt(1, 5) : Double.POSITIVE_INFINITY;
      double memory =
          counted && random.nextBoolean() ? gpus * 8e9 * random.nextDouble(1, 3) : 256e9;
      servers.add(
          server(
              Cluster.serverName(s),
              gpus,
              racks == 0 ? "r" : "r" + s % racks,
              cpus,
              counted ? memory : Double.POSITIVE_INFINITY));
    }
    return new Cluster("random", servers, inRacks, network, seed % 2 == 0 ? 0 : 10);
  }

  private static Jobs jobs(RandomGenerator random, Cluster cluster, int count, boolean elastic) {
    List<String> models = List.of("", "vgg16", "resnet50", "chatty");
    JobsBuilder builder = Jobs.builder(MODELS);
    while (builder.size() < count) {
      String model = models.get(random.nextInt(models.size()));
      Demand asked = new Demand(random.nextInt(5), random.nextInt(4) * 4e9);
      ModelProfile profile = model.isEmpty() ? null : MODELS.profile(MODELS.indexOf(model));
      int most = cluster.mostWorkers(cluster.demand(asked, profile));
      if (most > 0) {
        Workloads.addFitting(builder, random, cluster, most, model, elastic).asking(asked);
      }
    }
    return builder.build();
  }

  /**
   * Four GPUs and eight CPUs. "hungry" leaves two CPUs, so "head" must wait for it; "small" would
   * fit, but waits behind "head" unless jobs that do not fit are passed over.
   */
  @ParameterizedTest
  @CsvSource({"fifo, true, 10", "fifo, false, 2", "sjf, true, 2", "longest-first, true, 10"})
  void cpusHoldJobsUp(String policy, boolean blocking, double smallStarts) {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("hungry", 0, 1, 10, "")
            .asking(new Demand(6, 0))
            .addDuration("head", 1, 1, 10, "")
            .asking(new Demand(4, 0))
            .addDuration("small", 2, 1, 5, "")
            .asking(new Demand(1, 0))
            .build();
    RunResult run = Runs.run(oneServer(4, 8, 64e9, 0), jobs, policy, "blocking=" + blocking);
    assertThat(run.startSeconds(1)).isEqualTo(10);
    assertThat(run.startSeconds(2)).isEqualTo(smallStarts);
  }

  /**
   * Four GPUs and eight CPUs, of which "old" has six. "young" needs four: it waits until "old" has
   * had 60 GPU-seconds, at 30 s, and then runs for 20 s in its place. "old" goes on at 50 s,
   * restarts until 55 s and needs 30 s more. "beside" has a CPU of its own and is left alone.
   */
  @Test
  void leastAttainedStopsForCpus() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("old", 0, 2, 60, "")
            .asking(new Demand(3, 0))
            .addDuration("beside", 5, 1, 100, "")
            .asking(new Demand(1, 0))
            .addDuration("young", 10, 1, 20, "")
            .asking(new Demand(4, 0))
            .build();
    RunResult run = Runs.run(oneServer(4, 8, 64e9, 5), jobs, "las", "queues=60");
    assertThat(run.startSeconds(2)).isEqualTo(30);
    assertThat(run.finishSeconds(0)).isEqualTo(85);
    assertThat(run.restarts(0)).isEqualTo(1);
    assertThat(run.restarts(1)).isZero();
  }

  /** The same with what is left: "young" has 20 s to go and "old" 50 s. */
  @ParameterizedTest
  @CsvSource({"srtf, 0, 10", "srsf, 0, 10", "srtf, 100, 60"})
  void shortestRemainingStopsForCpus(String policy, double shield, double youngStarts) {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("old", 0, 2, 60, "")
            .asking(new Demand(3, 0))
            .addDuration("young", 10, 1, 20, "")
            .asking(new Demand(4, 0))
            .build();
    RunResult run = Runs.run(oneServer(4, 8, 64e9, 5), jobs, policy, "shield=" + shield);
    assertThat(run.startSeconds(1)).isEqualTo(youngStarts);
    assertThat(run.finishSeconds(0)).isEqualTo(shield == 0 ? 85 : 60);
  }

  /**
   * The example of Ghodsi et al., NSDI 2011, section 4.1: 9 CPUs and 18 GB; tasks of ann take 1 CPU
   * and 4 GB, tasks of bob 3 CPUs and 1 GB. Ann has 2/9 of the memory with each, bob 1/3 of the
   * CPUs. They go ann 2/9, bob 1/3, ann 4/9, bob 2/3, ann 2/3; then no CPU is left. Each task has a
   * GPU, of which there are plenty.
   */
  @Test
  void dominantSharesAreEqualized() {
    JobsBuilder builder = Jobs.builder(MODELS);
    for (int i = 0; i < 6; i++) {
      builder
          .add("a" + i, 0, 1, 1, 1, 100, true, "", "ann", "")
          .asking(new Demand(1, 4e9))
          .add("b" + i, 0, 1, 1, 1, 100, true, "", "bob", "")
          .asking(new Demand(3, 1e9));
    }
    Map<Integer, Integer> held = new HashMap<>();
    Watched.run(
        oneServer(18, 9, 18e9, 0),
        builder.build(),
        "drf",
        Map.of(),
        1,
        (view, active) -> {
          if (view.nowSeconds() == 0) {
            active.stream()
                .filter(view::running)
                .forEach(job -> held.merge(view.user(job), 1, Integer::sum));
          }
        });
    assertThat(held).isEqualTo(Map.of(0, 3, 1, 2));
  }

  /**
   * Two racks of two servers with two GPUs. "x" and "y" take three GPUs of a rack each. The ring of
   * "z" would have to leave its rack for two GPUs. The uplinks have 1 Gbit/s: a ring that reserves
   * more waits until "x" ends.
   */
  @ParameterizedTest
  @CsvSource({
    "fifo, 5, 50",
    "fifo, 1, 1",
    "srtf, 5, 50",
    "las, 5, 50",
    "drf, 5, 50",
    "optimus, 5, 50"
  })
  void aRingThatCannotLeaveItsRackWaits(String policy, double gigabits, double starts) {
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < 4; s++) {
      double infinite = Double.POSITIVE_INFINITY;
      servers.add(server(Cluster.serverName(s), 2, "r" + s / 2, infinite, infinite));
    }
    Cluster cluster =
        new Cluster(
            "racks",
            servers,
            List.of(new Rack("r0", GIGABIT), new Rack("r1", GIGABIT)),
            Network.Contention.USUAL.reserving(gigabits * GIGABIT),
            0);
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("x", 0, 3, 50, "")
            .addDuration("y", 0, 3, 60, "")
            .addDuration("z", 1, 2, 100, "vgg16")
            .build();
    assertThat(Runs.run(cluster, jobs, policy).startSeconds(2)).isEqualTo(starts);
  }
}
