package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
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
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GadgetTest {
  private static final Offset<Double> CLOSE = within(1e-6);

  private static Cluster fourGpus(double restartSeconds) {
    return Cluster.uniform(1, 4, Network.NONE, restartSeconds);
  }

  /** Elastic jobs of one to four workers that do not communicate, by GPU-seconds of work. */
  private static Jobs.Builder elastic(Jobs.Builder jobs, String id, double submit, double work) {
    return jobs.add(id, submit, 1, 1, 4, work, true, "", "", "");
  }

  private static Jobs.Builder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  private static double number(RunResult run, String note) {
    return ((Number) Objects.requireNonNull(run.notes().get(note), note)).doubleValue();
  }

  /**
   * Slots of 100 s, four GPUs. A worker of b does all its 100 GPU-seconds in the slot: a gain of 1,
   * and more workers gain nothing. A worker of a gains 100 / 400. So b has one, a three. At 100 s a
   * has 100 GPU-seconds left; nobody else wants the fourth GPU, so it ends 25 s later. Both slots
   * are as good as they can be: 1 + 0.75, then 0.25, and F / (F + LP) = 2 / (2 + 2), but for what
   * ending sooner than at the end of the slot counts.
   */
  @Test
  void gainOfASlotByHand() {
    Jobs.Builder jobs = jobs();
    elastic(jobs, "a", 0, 400);
    elastic(jobs, "b", 0, 100);
    RunResult run = Runs.run(fourGpus(0), jobs.build(), "gadget", "slot=100");
    assertThat(run.finishSeconds(1)).isCloseTo(100, CLOSE);
    assertThat(run.finishSeconds(0)).isCloseTo(100 + 100 / 4.0, CLOSE);
    assertThat(number(run, "slots")).isEqualTo(2);
    assertThat(number(run, "utility")).isCloseTo(2, CLOSE);
    assertThat(number(run, "slot_ratio_mean")).isCloseTo(1, within(1e-3));
    assertThat(number(run, "certified_ratio")).isCloseTo(0.5, within(1e-3));
    assertThat(number(run, "guarantee")).isCloseTo(0.5, within(1e-3));
  }

  /**
   * Weighted by work, a GPU gains as much with either: the job that came first is given all four,
   * and b waits for the slot after.
   */
  @Test
  void weightByHand() {
    Jobs.Builder jobs = jobs();
    elastic(jobs, "a", 0, 400);
    elastic(jobs, "b", 0, 400);
    RunResult run = Runs.run(fourGpus(0), jobs.build(), "gadget", "slot=100", "weight=work");
    assertThat(run.finishSeconds(0)).isCloseTo(100, CLOSE);
    assertThat(run.finishSeconds(1)).isCloseTo(200, CLOSE);
  }

  /** A fair utility gives both the same: log(1 + x) rises ever more slowly. */
  @Test
  void fairnessByHand() {
    Jobs.Builder jobs = jobs();
    elastic(jobs, "a", 0, 400);
    elastic(jobs, "b", 0, 400);
    RunResult run = Runs.run(fourGpus(0), jobs.build(), "gadget", "slot=100", "utility=fair");
    assertThat(run.finishSeconds(0)).isCloseTo(200, CLOSE);
    assertThat(run.finishSeconds(1)).isCloseTo(200, CLOSE);
  }

  /** What comes between slots takes what is free at once, and what is not at the next slot. */
  @Test
  void betweenSlotsWhatIsFreeIsGivenOut() {
    Jobs jobs =
        jobs()
            .addDuration("first", 0, 3, 150, "")
            .addDuration("one", 10, 1, 30, "")
            .addDuration("two", 20, 2, 30, "")
            .build();
    RunResult run = Runs.run(fourGpus(0), jobs, "gadget", "slot=100");
    assertThat(run.startSeconds(1)).isEqualTo(10);
    // Of 3 GPUs for 100 s, a gain of 2/3; of 2 GPUs for 30 s, all of 1.
    assertThat(run.startSeconds(2)).isEqualTo(100);
    assertThat(run.finishSeconds(0)).isCloseTo(130 + 50, CLOSE);
  }

  /** Nothing is free when it comes; at 50 s all is. */
  @Test
  void whatComesWhenAllIsTakenStartsWhenItIsFree() {
    Jobs jobs = jobs().addDuration("a", 0, 4, 50, "").addDuration("b", 10, 4, 30, "").build();
    RunResult run = Runs.run(fourGpus(0), jobs, "gadget", "slot=100");
    assertThat(run.startSeconds(1)).isEqualTo(50);
  }

  /** Restarts that outlast a slot: slots without gain prove nothing, and are written as such. */
  @Test
  void aSlotWithoutGainHasNoLambda() {
    Jobs.Builder jobs = jobs();
    elastic(jobs, "a", 0, 4000);
    elastic(jobs, "b", 150, 500);
    RunResult run = Runs.run(fourGpus(250), jobs.build(), "gadget", "slot=100", "weigh=0");
    assertThat(run.notes()).containsEntry("lambda_greatest", "unlimited");
    assertThat(number(run, "guarantee")).isZero();
    assertThat(number(run, "certified_ratio")).isBetween(0.01, 1.0);
  }

  /**
   * A job of two GPUs has run for a slot when a shorter one of four comes. Stopped for it, it would
   * have to restart, for 90 of 100 s: too much if that is weighed, nothing if it is not.
   */
  @Test
  void aRestartIsWeighed() {
    Jobs.Builder jobs = jobs();
    jobs.add("long", 0, 2, 2, 2, 1000, true, "", "", "");
    jobs.add("wide", 50, 2, 2, 4, 800, true, "", "", "");
    Jobs both = jobs.build();
    RunResult blind = Runs.run(fourGpus(90), both, "gadget", "slot=100", "weigh=0");
    RunResult wary = Runs.run(fourGpus(90), both, "gadget", "slot=100");
    assertThat(blind.restarts(0) + blind.restarts(1))
        .isGreaterThan(wary.restarts(0) + wary.restarts(1));
    assertThat(wary.restarts(0)).isZero();
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
          assertThat(Validator.check(cluster, jobs, segments, Validator.Outcomes.of(run)))
              .isEmpty();
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
    Jobs.Builder jobs = jobs();
    for (int i = 0; i < 6; i++) {
      elastic(jobs, "j" + i, random.nextInt(250), random.nextInt(50, 1000));
    }
    return jobs.build();
  }
}
