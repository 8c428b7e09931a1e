package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaestroTest {
  private static Cluster cluster(int servers, int gpus, double restartSeconds) {
    return Cluster.uniform(servers, gpus, Network.None.USUAL, restartSeconds);
  }

  private static JobsBuilder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  /**
   * With patience 0 everybody goes in order of submission: nobody starts later than under first
   * come, first served with one GPU for each job.
   */
  @Test
  void withoutPatienceItIsFirstComeFirstServed() {
    Seeds.each(
        50,
        (random, seed) -> {
          Cluster cluster = cluster(1, 1 + random.nextInt(4), 0);
          JobsBuilder builder = jobs();
          for (int i = 0; i < 30; i++) {
            builder.addDuration("j" + i, random.nextInt(500), 1, 1 + random.nextInt(200), "");
          }
          Jobs jobs = builder.build();
          RunResult fifo = Runs.run(cluster, jobs, "fifo");
          RunResult run = Runs.run(cluster, jobs, "maestro", "patience=0");
          for (int job = 0; job < jobs.size(); job++) {
            assertThat(run.finishSeconds(job)).isEqualTo(fifo.finishSeconds(job));
          }
        });
  }

  /** Lengths over four orders of magnitude, restarts for nothing: all that makes stopping pay. */
  private static Jobs tempting(RandomGenerator random, int count, boolean elastic) {
    JobsBuilder builder = jobs();
    for (int i = 0; i < count; i++) {
      int gpus = 1 << random.nextInt(4);
      builder.add(
          "j" + i,
          random.nextInt(40 * count),
          gpus,
          elastic ? 1 : gpus,
          elastic ? 8 : gpus,
          Math.exp(random.nextDouble() * 9),
          true,
          "",
          "",
          "");
    }
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noJobIsStoppedMoreThanTenTimes(boolean elastic) {
    Seeds.each(
        20,
        (random, seed) -> {
          Jobs jobs = tempting(random, 300, elastic);
          int[] stops = new int[jobs.size()];
          PolicySpec spec = Policies.named("maestro");
          Policy policy =
              spec.create(spec.settings(Map.of("estimate", "noise:1")), cluster(2, 8, 0));
          Policy counting =
              new Policy() {
                @Override
                public void decide(View view, Decisions decisions) {
                  boolean[] ran = new boolean[jobs.size()];
                  for (int job = 0; job < ran.length; job++) {
                    ran[job] = view.running(job);
                  }
                  policy.decide(view, decisions);
                  for (int job = 0; job < ran.length; job++) {
                    stops[job] += ran[job] && view.waiting(job) ? 1 : 0;
                  }
                }
              };
          Runs.run(cluster(2, 8, 0), jobs, counting, new Estimate.Noise(1), seed, RunObserver.NONE);
          assertThat(Arrays.stream(stops).max().orElseThrow()).isLessThanOrEqualTo(10);
        });
  }

  private static double makespan(Jobs jobs, RunResult run) {
    double last = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, run.finishSeconds(job));
    }
    return last;
  }

  /** On one server, where placement does not differ. */
  @Test
  void aBatchOfUnknownLengthsGoesLongestFirst() {
    Seeds.each(
        30,
        (random, seed) -> {
          Cluster cluster = cluster(1, 4, 0);
          JobsBuilder builder = jobs();
          for (int i = 0; i < 25; i++) {
            builder.addDuration("j" + i, 0, 1 + random.nextInt(4), 50 + random.nextInt(250), "");
          }
          Jobs jobs = builder.build();
          RunResult longest =
              Runs.run(
                  cluster, jobs, "longest-first", seed, RunObserver.NONE, "estimate=noise:0.25");
          RunResult run =
              Runs.run(
                  cluster,
                  jobs,
                  "maestro",
                  seed,
                  RunObserver.NONE,
                  "estimate=noise:0.25",
                  "objective=makespan");
          assertThat(makespan(jobs, run)).isEqualTo(makespan(jobs, longest));
        });
  }

  /** Alone a job has all eight GPUs; when a second comes they share; then the other has all. */
  @Test
  void jobsGrowAndShrinkAsOthersComeAndGo() {
    Jobs jobs =
        jobs()
            .add("a", 0, 1, 1, 8, 8000, true, "", "", "")
            .add("rigid", 100, 4, 4, 4, 1000, true, "", "", "")
            .build();
    List<Integer> workers = new ArrayList<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void segment(
              int job, double start, double end, double warmup, Placement placement) {
            if (job == 0) {
              workers.add(placement.workers());
            }
          }
        };
    RunResult run = Runs.run(cluster(1, 8, 10), jobs, "maestro", 1, observer);
    assertThat(workers).containsExactly(8, 4, 8);
    assertThat(run.startSeconds(1)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objective=makespan",
        "objective=mixed",
        "objective=utility",
        "patience=0.01",
        "estimate=reversed"
      })
  void everyFormMakesSchedulesThatCanBe(String setting) {
    Seeds.each(
        40,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 20, seed % 4 < 2);
          Segments segments = new Segments();
          RunResult run = Runs.run(cluster, jobs, "maestro", seed, segments, setting, "search=50");
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
        });
  }

  /** Told the opposite of the truth, it stays within three times of first come, first served. */
  @Test
  void predictionsThatAreUpsideDownDoNotRuinIt() {
    Seeds.each(
        10,
        (random, seed) -> {
          Jobs jobs = tempting(random, 400, false);
          Cluster cluster = cluster(2, 8, 10);
          double fifo = mean(jobs, Runs.run(cluster, jobs, "fifo", "blocking=false"));
          double misled = mean(jobs, Runs.run(cluster, jobs, "maestro", "estimate=reversed"));
          assertThat(misled).isLessThan(3 * fifo);
        });
  }

  private static double mean(Jobs jobs, RunResult run) {
    double sum = 0;
    for (int job = 0; job < jobs.size(); job++) {
      sum += run.finishSeconds(job) - jobs.submitSeconds(job);
    }
    return sum / jobs.size();
  }
}
