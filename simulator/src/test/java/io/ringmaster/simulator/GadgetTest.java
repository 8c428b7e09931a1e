package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GadgetTest {
  private static Cluster fourGpus(double restartSeconds) {
    return Cluster.uniform(1, 4, Network.None.USUAL, restartSeconds);
  }

  /** Elastic jobs of one to four workers that do not communicate, by GPU-seconds of work. */
  private static JobsBuilder elastic(JobsBuilder jobs, String id, double submit, double work) {
    return jobs.add(id, submit, 1, 1, 4, work, true, "", "", "");
  }

  private static JobsBuilder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  private static double number(RunResult run, String note) {
    return ((Number) Objects.requireNonNull(run.notes().get(note), note)).doubleValue();
  }

  /**
   * Four servers of one GPU, iterations of 1 s and 0.8 (w - 1) / w s of exchange. Two workers go at
   * 2 / 1.4 = 1.43, four at 4 / 1.6 = 2.5. At a price of 3, a GPU of 300 W costs 0.9 of what it
   * would gain at ideal speed.
   */
  @Test
  void energyMakesJobsSmaller() {
    ModelProfile net = new ModelProfile("net", 0.4e9, 1, 1, 0, "test");
    Jobs jobs =
        Jobs.builder(ModelTable.standard().with(List.of(net)))
            .add("a", 0, 1, 1, 4, 3600, false, "net", "", "")
            .build();
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < 4; s++) {
      servers.add(new Server("s" + s, 1, "v100", "r", 1e9, 1e12));
    }
    Network network = new Network.Reserved(new RingTerms(1, 0, 0, 1e30), 1e9);
    Cluster cluster = new Cluster("four", servers, network, 0);
    RunResult fast = Runs.run(cluster, jobs, "gadget", "utility=progress");
    RunResult thrifty = Runs.run(cluster, jobs, "gadget", "utility=energy", "price=3");
    RunResult never = Runs.run(cluster, jobs, "gadget", "utility=energy", "price=1000");
    assertThat(fast.finishSeconds(0)).isCloseTo(3600 / (4 / 1.6), within(1.0));
    // From 1 to 2 workers 2 / 1.4 - 1 = 0.43 of a worker is gained for 0.9 of one: not worth it.
    assertThat(thrifty.finishSeconds(0)).isCloseTo(3600, within(1.0));
    assertThat(never.finishSeconds(0)).isCloseTo(3600, within(1.0));
    assertThat(thrifty.energyJoules()).isCloseTo(3600 * 300, within(300.0));
    assertThat(thrifty.notes()).doesNotContainKey("guarantee");
  }

  /** Whatever the jobs and the network, the run is valid and what it proves of itself holds. */
  @Test
  void runsAreValidAndCertificatesAreSound() {
    String[] utilities = {"progress", "saturating", "loss", "fair", "energy"};
    Seeds.each(
        60,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          if (seed % 3 == 0) {
            network = network.reserving(random.nextInt(1, 6) * 1e9 / 8);
          }
          Cluster cluster = Workloads.cluster(random, network, random.nextInt(3) * 30);
          Jobs jobs = Workloads.mixed(random, cluster, 25, true);
          Segments segments = new Segments();
          RunResult run =
              Runs.run(
                  cluster,
                  jobs,
                  "gadget",
                  seed,
                  segments,
                  "slot=" + random.nextInt(20, 2000),
                  "utility=" + utilities[(int) (seed % utilities.length)],
                  "weight=" + (random.nextBoolean() ? "job" : "work"),
                  "solver=" + List.of("auto", "greedy", "lp").get(random.nextInt(3)),
                  "weigh=" + random.nextInt(3));
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
          assertThat(number(run, "slot_ratio_worst")).isBetween(0.0, 1.0);
          if (run.notes().containsKey("guarantee")) {
            assertThat(number(run, "certified_ratio")).isBetween(0.0, 1.0);
            assertThat(number(run, "guarantee"))
                .isLessThanOrEqualTo(number(run, "certified_ratio") + 1e-9);
          }
        });
  }

  /** Cut off at a horizon, the utility that the policy counts is that of the work done. */
  @Test
  void utilityIsThatOfTheWorkDone() {
    Seeds.each(
        20,
        (random, seed) -> {
          Cluster cluster = fourGpus(random.nextInt(2) * 10);
          Jobs jobs = drawn(random);
          PolicySpec spec = Policies.named("gadget");
          RunResult run =
              new Simulation(
                      cluster,
                      jobs,
                      "gadget",
                      spec.create(spec.settings(Map.of("slot", "100")), cluster),
                      new Estimate.Perfect(),
                      seed,
                      RunObserver.NONE)
                  .run(300);
          double sum = 0;
          for (int job = 0; job < jobs.size(); job++) {
            sum += run.doneShare(job);
          }
          assertThat(number(run, "utility")).isCloseTo(sum, within(1e-9));
        });
  }

  private static Jobs drawn(RandomGenerator random) {
    JobsBuilder jobs = jobs();
    for (int i = 0; i < 6; i++) {
      elastic(jobs, "j" + i, random.nextInt(250), random.nextInt(50, 1000));
    }
    return jobs.build();
  }
}
