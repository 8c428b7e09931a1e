package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
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
  private static final double HOUR = 3600;

  private static Cluster cluster(int servers, int gpus, double restartSeconds) {
    return Cluster.uniform(servers, gpus, Network.NONE, restartSeconds);
  }

  private static Jobs.Builder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  private static double start(Jobs jobs, RunResult run, String id) {
    return run.startSeconds(job(jobs, id));
  }

  private static double finish(Jobs jobs, RunResult run, String id) {
    return run.finishSeconds(job(jobs, id));
  }

  private static int job(Jobs jobs, String id) {
    for (int job = 0; job < jobs.size(); job++) {
      if (jobs.id(job).equals(id)) {
        return job;
      }
    }
    throw new IllegalArgumentException(id);
  }

  /**
   * One GPU, restarts of 10 s. At 100 s the short one of 50 s comes; the long one, of 10,000 s, has
   * 9,900 s left. To wait costs 9,900 s, to stop it 0.05 x (50 + 10). It goes on at 150 s, and
   * makes no progress until 160.
   */
  @Test
  void aLongJobMakesRoomForAShortOne() {
    Jobs jobs =
        jobs().addDuration("long", 0, 1, 10_000, "").addDuration("short", 100, 1, 50, "").build();
    RunResult run = Runs.run(cluster(1, 1, 10), jobs, "maestro");
    assertThat(finish(jobs, run, "short")).isEqualTo(150);
    assertThat(finish(jobs, run, "long")).isEqualTo(10_060);
    assertThat(run.restarts(0)).isEqualTo(1);
    RunResult staying = Runs.run(cluster(1, 1, 10), jobs, "maestro", "without=preemption");
    assertThat(finish(jobs, staying, "short")).isEqualTo(10_050);
  }

  /** The same at 30 s: a job that has run for less than a minute is left alone. */
  @Test
  void aJobRunsForAMinuteBeforeItIsStopped() {
    Jobs jobs =
        jobs().addDuration("long", 0, 1, 10_000, "").addDuration("short", 30, 1, 50, "").build();
    RunResult run = Runs.run(cluster(1, 1, 10), jobs, "maestro");
    assertThat(finish(jobs, run, "long")).isEqualTo(10_000);
  }

  /**
   * Two servers of two GPUs, each with a single that ends at 10 and at 20 s. The pair that comes at
   * 1 s would wait 9 s for the first; scattered, its iterations take 3 s instead of 2. With 2 s of
   * work that costs 1 s: it starts at once and runs for 3 s. With 200 s it costs 100 s, and it
   * waits.
   */
  @Test
  void aPairIsScatteredOnlyIfWaitingTakesLonger() {
    ModelTable models =
        ModelTable.standard().with(List.of(new ModelProfile("talk", 1e9, 1, 0.5, 0.5, "test")));
    Network share = Network.DEFAULT.sharing(Pipelining.STEADY);
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < 2; s++) {
      servers.add(new Server(Cluster.serverName(s), 2, "v100", "r1", 1e9, 1e9));
    }
    Cluster pairs = new Cluster("pairs", servers, share, 0);
    for (double length : new double[] {2, 200}) {
      Jobs jobs =
          Jobs.builder(models)
              .addDuration("a", 0, 1, 10, "")
              .addDuration("d", 0, 1, 0.7, "")
              .addDuration("b", 0.6, 1, 19.4, "")
              .addDuration("p", 1, 2, length, "talk")
              .build();
      RunResult run = Runs.run(pairs, jobs, "maestro");
      assertThat(start(jobs, run, "p")).isEqualTo(length == 2 ? 1 : 10);
      assertThat(finish(jobs, run, "p")).isEqualTo(length == 2 ? 4 : 210);
    }
  }

  /**
   * Short jobs keep both GPUs busy for 20 hours, and a wide one wants both for two. It has more to
   * do than any of them, so it would wait to the end. With a patience of 3 hours it begins within
   * the minute that a new job is left alone, and nobody stops it.
   */
  @Test
  void nobodyWaitsForMuchLongerThanItsPatience() {
    Jobs.Builder builder = jobs().addDuration("wide", 1, 2, 2 * HOUR, "");
    for (int i = 0; i < 80; i++) {
      builder.addDuration("s" + i, i * 900.0, 1, 1800, "");
    }
    Jobs jobs = builder.build();
    RunResult endless = Runs.run(cluster(1, 2, 0), jobs, "maestro", "trust=1e12");
    assertThat(start(jobs, endless, "wide")).isGreaterThan(15 * HOUR);
    RunResult run = Runs.run(cluster(1, 2, 0), jobs, "maestro", "trust=1e12", "patience=3");
    assertThat(start(jobs, run, "wide")).isBetween(3 * HOUR, 3 * HOUR + 62);
    assertThat(finish(jobs, run, "wide") - start(jobs, run, "wide")).isEqualTo(2 * HOUR);
  }

  /**
   * With patience 0 everybody goes in order of submission: nobody starts later than under first
   * come, first served with one GPU for each job, but for the minute in which a job is left alone.
   */
  @Test
  void withoutPatienceItIsFirstComeFirstServed() {
    Seeds.each(
        50,
        (random, seed) -> {
          Cluster cluster = cluster(1, 1 + random.nextInt(4), 0);
          Jobs.Builder builder = jobs();
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
    Jobs.Builder builder = jobs();
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

  /**
   * Two GPUs, jobs of 3, 3, 2, 2 and 2 s: longest first needs 7 s, the best is 3 + 3 = 2 + 2 + 2.
   */
  @Test
  void theSearchFindsABetterOrderThanLongestFirst() {
    Jobs jobs =
        jobs()
            .addDuration("a", 0, 1, 3, "")
            .addDuration("b", 0, 1, 3, "")
            .addDuration("c", 0, 1, 2, "")
            .addDuration("d", 0, 1, 2, "")
            .addDuration("e", 0, 1, 2, "")
            .build();
    Cluster cluster = cluster(1, 2, 0);
    assertThat(makespan(jobs, Runs.run(cluster, jobs, "longest-first"))).isEqualTo(7);
    RunResult run = Runs.run(cluster, jobs, "maestro", "objective=makespan");
    assertThat(makespan(jobs, run)).isEqualTo(6);
    RunResult plain = Runs.run(cluster, jobs, "maestro", "objective=makespan", "without=search");
    assertThat(makespan(jobs, plain)).isEqualTo(7);
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
          Jobs.Builder builder = jobs();
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
    assertThat(start(jobs, run, "rigid")).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objective=makespan",
        "objective=mixed",
        "objective=utility",
        "without=order",
        "without=consolidation",
        "without=preemption",
        "without=waiting",
        "without=growth",
        "without=search",
        "without=trust",
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
          assertThat(Validator.check(cluster, jobs, segments, Validator.Outcomes.of(run)))
              .isEmpty();
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
