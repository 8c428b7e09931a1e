package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BestScheduleTest {
  private static final double SECONDS = 10;

  /** Policies that run each job once with the GPUs it asks for. */
  private static final List<String> WITHOUT_STOPS =
      List.of(
          "fifo",
          "sjf",
          "easy",
          "longest-first",
          "sjf-bco",
          "ada-srsf",
          "first-fit",
          "list-scheduling",
          "random");

  private static Jobs jobs(double... submitGpusSeconds) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < submitGpusSeconds.length; i += 3) {
      jobs.addDuration(
          "j" + i,
          submitGpusSeconds[i],
          (int) submitGpusSeconds[i + 1],
          submitGpusSeconds[i + 2],
          "");
    }
    return jobs.build();
  }

  private static void isOptimal(Bound bound, double seconds) {
    assertThat(bound.status()).isEqualTo(Bound.Status.OPTIMAL);
    assertThat(bound.bestFoundSeconds()).isCloseTo(seconds, within(1e-5 * seconds));
    assertThat(bound.lowerBoundSeconds()).isCloseTo(seconds, within(1e-5 * seconds));
  }

  /** 3, 3, 2, 2, 2 s on two GPUs: 3 + 3 and 2 + 2 + 2. Longest first would take 7. */
  @Test
  void whatLongestFirstMisses() {
    Cluster cluster = Cluster.uniform(1, 2, Network.None.USUAL, 0);
    Jobs jobs = jobs(0, 1, 3, 0, 1, 3, 0, 1, 2, 0, 1, 2, 0, 1, 2);
    isOptimal(BestSchedule.of(Objective.MAKESPAN, jobs, cluster, SECONDS), 6);
    // Shortest first: 2 + 2, then 4 and 5, and 7.
    isOptimal(
        BestSchedule.of(Objective.TOTAL_COMPLETION, jobs, cluster, SECONDS), 2 + 2 + 4 + 5 + 7);
  }

  /** The GPUs of two servers are not one pool: jobs of 3, 3 and 2 of 4 + 4 GPUs with a model. */
  @Test
  void crossingIsDearerThanWaiting() {
    Cluster cluster = Cluster.uniform(2, 4, Network.Contention.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 3, 100, "vgg16")
            .addDuration("b", 0, 3, 100, "vgg16")
            .addDuration("c", 0, 2, 100, "vgg16")
            .build();
    // All at once would leave one GPU on each server for c, whose ring takes several times as long.
    isOptimal(BestSchedule.of(Objective.MAKESPAN, jobs, cluster, SECONDS), 200);
    isOptimal(BestSchedule.of(Objective.TOTAL_COMPLETION, jobs, cluster, SECONDS), 400);
  }

  /**
   * Two rings of three workers on three servers of two GPUs must cross, and if they run at once
   * they meet on a server. 1 GB over 1 GB/s: 2/3 GB to send twice, 4/3 s to reduce, 1 s to compute.
   * Alone an iteration takes 11/3 s, so ten of each ring in turn 220/3 s.
   */
  private static void shareOrTakeTurns(double alpha, double seconds) {
    ModelTable models =
        ModelTable.standard().with(List.of(new ModelProfile("ring", 1e9, 1, 0.5, 0.5, "test")));
    Network network = new Network.Contention(new RingTerms(1, alpha, 0, 0.5e9));
    List<Server> servers =
        IntStream.range(0, 3)
            .mapToObj(s -> new Server(Cluster.serverName(s), 2, "v100", "r1", 1e9, 1e9))
            .toList();
    Jobs jobs =
        Jobs.builder(models)
            .addIterations("x", 0, 3, 10, "ring")
            .addIterations("y", 0, 3, 10, "ring")
            .build();
    isOptimal(
        BestSchedule.of(
            Objective.MAKESPAN, jobs, new Cluster("test", servers, network, 0), SECONDS),
        seconds);
  }

  /** f = 2.5: 4/3 x 2.5 + 7/3 = 17/3 s an iteration, for both at once. */
  @Test
  void sharingALinkIsBetterThanTakingTurns() {
    shareOrTakeTurns(0.5, 170.0 / 3);
  }

  /** f = 4: 4/3 x 4 + 7/3 = 23/3 s an iteration, so taking turns is better. */
  @Test
  void takingTurnsIsBetterThanSharingALink() {
    shareOrTakeTurns(2, 220.0 / 3);
  }

  @Test
  void submissionsAreRespected() {
    Cluster cluster = Cluster.uniform(1, 2, Network.None.USUAL, 0);
    // The wide job comes at 1. It goes first: idle until 1, then 1 to 2, then 2 to 12.
    Jobs jobs = jobs(0, 1, 10, 1, 2, 1);
    isOptimal(BestSchedule.of(Objective.TOTAL_COMPLETION, jobs, cluster, SECONDS), 1 + 12);
    isOptimal(BestSchedule.of(Objective.MAKESPAN, jobs, cluster, SECONDS), 11);
  }

  private static Cluster cluster(RandomGenerator random, Network network) {
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(1, 4);
    for (int s = 0; s < count; s++) {
      int gpus = random.nextInt(1, 5);
      servers.add(new Server(Cluster.serverName(s), gpus, "v100", "r1", 10e9 / 8, 300e9 / 8));
    }
    return new Cluster("random", servers, network, 0);
  }

  private static Jobs random(RandomGenerator random, Cluster cluster, int count, String model) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      double submit = random.nextBoolean() ? 0 : random.nextInt(60);
      int gpus = random.nextInt(1, cluster.totalGpus() + 1);
      jobs.addDuration("j" + i, submit, gpus, random.nextInt(5, 100), model);
    }
    return jobs.build();
  }

  private static RunResult run(String policy, Jobs jobs, Cluster cluster) {
    PolicySpec spec = Policies.named(policy);
    Settings settings = spec.settings(Map.of());
    return new Simulation(
            cluster,
            jobs,
            policy,
            spec.create(settings, cluster),
            new Estimate.Perfect(),
            1,
            RunObserver.NONE)
        .run();
  }

  @Test
  void noPolicyBeatsItsBound() {
    for (long seed = 1; seed <= 60; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      Network network = seed % 3 == 0 ? Network.None.USUAL : Network.Contention.USUAL;
      Cluster cluster = cluster(random, network);
      Jobs jobs = random(random, cluster, random.nextInt(2, 9), seed % 2 == 0 ? "resnet50" : "");
      Bound makespan = BestSchedule.of(Objective.MAKESPAN, jobs, cluster, SECONDS);
      Bound total = BestSchedule.of(Objective.TOTAL_COMPLETION, jobs, cluster, SECONDS);
      for (PolicySpec spec : Policies.all()) {
        RunResult run = run(spec.name(), jobs, cluster);
        boolean once = WITHOUT_STOPS.contains(spec.name());
        for (Bound bound : List.of(makespan, total)) {
          double least = once ? bound.lowerBoundSeconds() : bound.anyScheduleSeconds();
          assertThat(bound.objective().seconds(jobs, run))
              .as("seed %d, %s, %s", seed, spec.name(), bound)
              .isGreaterThanOrEqualTo(least * (1 - 1e-6));
        }
      }
    }
  }

  /** Without a network the best schedule starts jobs in some order, each as early as it can. */
  @Test
  void triesAsMuchAsAllOrders() {
    for (long seed = 1; seed <= 100; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      Cluster cluster = cluster(random, Network.None.USUAL);
      Jobs jobs = random(random, cluster, random.nextInt(2, 6), "");
      for (Objective objective : Objective.values()) {
        Bound bound = BestSchedule.of(objective, jobs, cluster, SECONDS);
        double least = byAllOrders(objective, jobs, cluster.totalGpus());
        assertThat(bound.status()).as("seed %d", seed).isEqualTo(Bound.Status.OPTIMAL);
        assertThat(bound.bestFoundSeconds())
            .as("seed %d, %s", seed, objective)
            .isCloseTo(least, within(1e-5 * least));
      }
    }
  }

  private static double byAllOrders(Objective objective, Jobs jobs, int gpus) {
    return extend(objective, jobs, gpus, new double[jobs.size()], 0, 0);
  }

  /** Starts each job that is left next, no earlier than the last one; keeps the best. */
  private static double extend(
      Objective objective, Jobs jobs, int gpus, double[] start, int placed, double last) {
    if (Integer.bitCount(placed) == jobs.size()) {
      double end = 0;
      double sum = 0;
      for (int job = 0; job < start.length; job++) {
        end = Math.max(end, start[job] + jobs.work(job));
        sum += start[job] + jobs.work(job) - jobs.submitSeconds(job);
      }
      return objective == Objective.MAKESPAN ? end - jobs.submitSeconds(0) : sum;
    }
    double best = Double.POSITIVE_INFINITY;
    for (int job = 0; job < start.length; job++) {
      if ((placed & (1 << job)) == 0) {
        start[job] = earliest(jobs, gpus, start, placed, job, last);
        double found = extend(objective, jobs, gpus, start, placed | (1 << job), start[job]);
        best = Math.min(best, found);
      }
    }
    return best;
  }

  private static double earliest(
      Jobs jobs, int gpus, double[] start, int placed, int job, double last) {
    List<Double> moments = new ArrayList<>(List.of(Math.max(last, jobs.submitSeconds(job))));
    for (int k = 0; k < start.length; k++) {
      double end = start[k] + jobs.work(k);
      if ((placed & (1 << k)) != 0 && end > moments.getFirst()) {
        moments.add(end);
      }
    }
    moments.sort(null);
    for (double moment : moments) {
      int used = 0;
      for (int k = 0; k < start.length; k++) {
        boolean runs =
            (placed & (1 << k)) != 0 && start[k] <= moment && moment < start[k] + jobs.work(k);
        used += runs ? jobs.gpus(k) : 0;
      }
      if (used + jobs.gpus(job) <= gpus) {
        return moment;
      }
    }
    throw new AssertionError("at the end all are free");
  }

  /**
   * Ten GPUs. Beside a job of 6 none of 5 fits. So with g = 5 three of 6 for 10 s and one of 5 for
   * 4 s take 3 x 10 s + 5 / 10 x 4 s, where their area is 18 + 2 s. One of 4 does fit: with g = 4
   * nothing is wide, and 3 x 6 x 10 + 4 x 5 GPU-seconds are 20 s of all GPUs.
   */
  @Test
  void wideJobsTakeTurns() {
    Cluster cluster = Cluster.uniform(1, 10, Network.None.USUAL, 0);
    Instance wide = new Instance(jobs(0, 6, 10, 0, 6, 10, 0, 6, 10, 0, 5, 4), cluster);
    assertThat(WideJobs.leastSeconds(Objective.MAKESPAN, wide)).isCloseTo(32, within(1e-9));
    Instance narrow = new Instance(jobs(0, 6, 10, 0, 6, 10, 0, 6, 10, 0, 4, 5), cluster);
    assertThat(WideJobs.leastSeconds(Objective.MAKESPAN, narrow)).isCloseTo(20, within(1e-9));
  }

  @Test
  void noPolicyWithoutStopsIsBelowTheBoundOfWideJobs() {
    for (int seed = 1; seed <= 60; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      Cluster cluster =
          Cluster.uniform(random.nextInt(1, 4), random.nextInt(2, 9), Network.None.USUAL, 0);
      JobsBuilder builder = Jobs.builder(ModelTable.standard());
      int count = random.nextInt(2, 40);
      for (int i = 0; i < count; i++) {
        int gpus = random.nextInt(1, cluster.totalGpus() + 1);
        builder.addDuration("j" + i, random.nextInt(200), gpus, 1 + random.nextInt(50), "");
      }
      Instance instance = new Instance(builder.build(), cluster);
      for (Objective objective : Objective.values()) {
        double least = WideJobs.leastSeconds(objective, instance);
        Trials trials = new Trials(instance, objective);
        trials.lists();
        assertThat(trials.bestSeconds() * (1 + 1e-9))
            .as("seed %s, %s", seed, objective)
            .isGreaterThanOrEqualTo(least);
      }
    }
  }

  @Test
  void manyJobsAreNotSearchedButBounded() {
    Cluster cluster = Cluster.uniform(4, 8, Network.Contention.USUAL, 0);
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < BestSchedule.MOST_JOBS_IN_POOL + 1; i++) {
      builder.addDuration("j" + i, i, random.nextInt(1, 9), 10 + random.nextInt(100), "resnet50");
    }
    Jobs jobs = builder.build();
    Bound bound = BestSchedule.of(Objective.MAKESPAN, jobs, cluster, 1);
    assertThat(bound.lowerBoundSeconds())
        .isGreaterThanOrEqualTo(LowerBounds.of(jobs, cluster).makespanSeconds())
        .isLessThanOrEqualTo(bound.bestFoundSeconds());
    assertThat(bound.status()).isNotEqualTo(Bound.Status.BOUND);
  }

  /** Two jobs of 10 s, a GPU and all memory each: not below 10 s, and the search says no more. */
  @Test
  void noScheduleIsTriedWhereMoreThanGpusIsLimited() {
    Server server = new Server("s", 2, "v100", "r", 1e9, 1e9, 8, 4e9, 300);
    Cluster cluster = new Cluster("small", List.of(server), Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 1, 10, "")
            .asking(new Demand(1, 4e9))
            .addDuration("b", 0, 1, 10, "")
            .asking(new Demand(1, 4e9))
            .build();
    Bound bound = BestSchedule.of(Objective.MAKESPAN, jobs, cluster, 1);
    assertThat(bound.bestFoundSeconds()).isNaN();
    assertThat(bound.lowerBoundSeconds()).isCloseTo(10, within(1e-6));
    assertThat(bound.status()).isEqualTo(Bound.Status.SKIPPED);
  }

  @Test
  void noScheduleIsTriedForVeryManyJobs() {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < 100_001; i++) {
      builder.addDuration("j" + i, 0, 1, 1, "");
    }
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Bound bound = BestSchedule.of(Objective.MAKESPAN, builder.build(), cluster, 1);
    assertThat(bound.bestFoundSeconds()).isNaN();
    assertThat(bound.lowerBoundSeconds()).isCloseTo(100_001 / 4.0, within(1e-6));
    assertThat(bound.status()).isEqualTo(Bound.Status.SKIPPED);
  }
}
