package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that share elastic jobs out in slots: fifo-elastic, las-elastic and optimus. */
class ElasticPoliciesTest {
  private static final ModelTable MODELS = ModelTable.standard();

  /** Workers that each job has when it is first decided on. */
  private static Map<Integer, Integer> firstWorkers(Cluster cluster, Jobs jobs, String policy) {
    Map<Integer, Integer> first = new HashMap<>();
    Watched.run(
        cluster,
        jobs,
        policy,
        Map.of(),
        1,
        (view, active) ->
            active.forEach(job ->
                first.putIfAbsent(job, view.running(job) ? view.placement(job).workers() : 0)));
    return first;
  }

  @Test
  void ofEqualElasticJobsTheOneWithTheLeastServiceHasAllGpus() {
    Seeds.each(
        60,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          int all = cluster.totalGpus();
          JobsBuilder builder = Jobs.builder(MODELS);
          for (int i = 0; i < random.nextInt(2, 7); i++) {
            builder.add("j" + i, 0, all, 1, all, 95, true, "", "", "");
          }
          Watched.run(
              cluster,
              builder.build(),
              "las-elastic",
              Map.of("slot", "10"),
              seed,
              (view, active) -> {
                boolean slotBegins = view.nowSeconds() % 10 == 0;
                if (slotBegins && !active.isEmpty()) {
                  int running = active.stream().filter(view::running).findFirst().orElseThrow();
                  assertThat(view.placement(running).workers()).isEqualTo(all);
                  assertThat(active)
                      .allMatch(
                          job -> view.attainedGpuSeconds(job) >= view.attainedGpuSeconds(running));
                }
              });
        });
  }

  @Test
  void optimusIsThePlainGreedy() {
    Seeds.each(
        100,
        (random, seed) -> {
          Cluster cluster =
              Cluster.uniform(1, random.nextInt(1, 17), Workloads.network(random, seed), 0);
          Jobs jobs = batch(random, cluster);
          assertThat(firstWorkers(cluster, jobs, "optimus")).isEqualTo(greedy(cluster, jobs));
        });
  }

  private static Jobs batch(RandomGenerator random, Cluster cluster) {
    JobsBuilder builder = Jobs.builder(MODELS);
    int all = cluster.totalGpus();
    for (int i = 0; i < random.nextInt(1, 8); i++) {
      int least = random.nextInt(1, all + 1);
      int asked = random.nextInt(least, all + 1);
      int most = random.nextInt(asked, all + 1);
      String model = random.nextBoolean() ? "" : "vgg16";
      builder.add("j" + i, 0, asked, least, most, random.nextInt(1, 1000), true, model, "", "");
    }
    return builder.build();
  }

  /** One more worker to the job that saves the most time, all jobs looked at each time. */
  private static Map<Integer, Integer> greedy(Cluster cluster, Jobs jobs) {
    Map<Integer, Integer> workers = new HashMap<>();
    int left = cluster.totalGpus();
    for (int job = 0; job < jobs.size(); job++) {
      boolean fits = jobs.minGpus(job) <= left;
      workers.put(job, fits ? jobs.minGpus(job) : 0);
      left -= fits ? jobs.minGpus(job) : 0;
    }
    for (; left > 0; left--) {
      int best = -1;
      double most = 0;
      for (int job = 0; job < jobs.size(); job++) {
        int now = workers.getOrDefault(job, 0);
        if (now > 0 && now < jobs.maxGpus(job)) {
          double saved = seconds(cluster, jobs, job, now) - seconds(cluster, jobs, job, now + 1);
          if (saved > most * (1 + 1e-12)) {
            best = job;
            most = saved;
          }
        }
      }
      if (best < 0) {
        break;
      }
      workers.merge(best, 1, Integer::sum);
    }
    return workers;
  }

  private static double seconds(Cluster cluster, Jobs jobs, int job, int workers) {
    return jobs.work(job)
        * speed(cluster, jobs, job, jobs.gpus(job))
        / speed(cluster, jobs, job, workers);
  }

  private static double speed(Cluster cluster, Jobs jobs, int job, int workers) {
    return workers
        / IterationTime.of(cluster).seconds(jobs.profile(job), Placement.on(0, workers), 1);
  }

  /** Who runs at its present size is left in peace: a batch that fits never restarts. */
  @ParameterizedTest
  @ValueSource(strings = {"fifo-elastic", "las-elastic", "optimus"})
  void jobsThatAllFitAreNeverMoved(String policy) {
    Seeds.each(
        60,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Workloads.network(random, 6 * seed), 10);
          JobsBuilder builder = Jobs.builder(MODELS);
          int left = cluster.totalGpus();
          for (int i = 0; left > 0; i++) {
            int gpus = random.nextInt(1, left + 1);
            builder.addDuration("j" + i, random.nextInt(200), gpus, random.nextInt(1, 500), "");
            left -= gpus;
          }
          Jobs jobs = builder.build();
          RunResult run = Runs.run(cluster, jobs, policy, "slot=7");
          for (int job = 0; job < jobs.size(); job++) {
            assertThat(run.restarts(job)).as("restarts of job %d", job).isZero();
          }
        });
  }

  /** Two jobs that need the whole cluster, where a restart takes two slots: they still end. */
  @ParameterizedTest
  @CsvSource({"fifo-elastic", "las-elastic", "optimus"})
  void jobsGetOnThoughARestartTakesLongerThanASlot(String policy) {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 20);
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 8, 100, "")
            .addDuration("b", 0, 8, 100, "")
            .add("c", 5, 4, 1, 8, 50, true, "", "", "")
            .build();
    assertThat(Runs.run(cluster, jobs, policy, "slot=10").finished()).isEqualTo(3);
  }
}
