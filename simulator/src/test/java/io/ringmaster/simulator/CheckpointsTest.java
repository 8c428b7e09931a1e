package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Checkpoints;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a stop costs a job that saves its work now and then. */
class CheckpointsTest {
  private static final ModelTable MODELS = ModelTable.standard();

  static Stream<PolicyVariants> variants() {
    return PolicyVariants.all();
  }

  /**
   * One job at a time on 8 GPUs. "long" is stopped after 5 of its 20 s and keeps what it saved; it
   * goes on at 19 + 10 of restart.
   */
  @ParameterizedTest
  @CsvSource({"3,46,2", "5,44,0", "2.5,44,0", "6,49,5", "0,44,0"})
  void aStopCostsWhatWasDoneSinceTheLastCheckpoint(double every, double finish, double lost) {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 10);
    JobsBuilder builder = Jobs.builder(MODELS).addDuration("long", 0, 8, 20, "");
    if (every > 0) {
      builder.saving(every);
    }
    Jobs jobs = builder.addDuration("short", 5, 8, 14, "").build();
    Segments segments = new Segments();
    RunResult run = Runs.run(cluster, jobs, "srtf", 1, segments);
    assertThat(run.finishSeconds(0)).isEqualTo(finish);
    assertThat(run.lostGpuSeconds()).isEqualTo(8 * (10 + lost));
    assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
  }

  /** "a" has 4 GPUs until 10 (40 of 400 GPU-seconds), saves after 24 of them, then has 2. */
  @Test
  void aResizeIsAStop() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 5);
    Jobs jobs =
        Jobs.builder(MODELS)
            .add("a", 0, 4, 1, 4, 100, true, "", "", "")
            .saving(6)
            .add("b", 10, 4, 1, 4, 1000, true, "", "", "")
            .build();
    Segments segments = new Segments();
    RunResult run = Runs.run(cluster, jobs, "drf", 1, segments);
    assertThat(run.finishSeconds(0)).isEqualTo(10 + 5 + (400 - 24) / 2.0);
    assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
  }

  /**
   * Two jobs are alike but for how often they save. At 95 s one would do 35 s again and the other
   * 5: that one makes room for a short one, whichever comes first.
   */
  @ParameterizedTest
  @CsvSource({"60,90,1", "90,60,0"})
  void maestroStopsWhoHasLessToDoAgain(double first, double second, int stopped) {
    Cluster cluster = Cluster.uniform(1, 2, Network.None.USUAL, 10);
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 1, 1000, "")
            .saving(first)
            .addDuration("b", 0, 1, 1000, "")
            .saving(second)
            .addDuration("short", 95, 1, 5, "")
            .build();
    RunResult run = Runs.run(cluster, jobs, "maestro");
    assertThat(run.startSeconds(2)).isEqualTo(95);
    assertThat(run.lostGpuSeconds()).isEqualTo(10 + 5);
    assertThat(run.finishSeconds(stopped)).isEqualTo(100 + 10 + (1000 - 90));
  }

  /**
   * At 95 s "long" has 105 s left, which is more than 75 by two restarts. It is stopped for a job
   * of 75 s if that costs restarts alone, and not if all it has done would be lost.
   */
  @ParameterizedTest
  @CsvSource({"0,95", "100,200"})
  void maestroStopsNobodyForLessThanWhatIsDoneAgain(double every, double start) {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 10);
    JobsBuilder builder = Jobs.builder(MODELS).addDuration("long", 0, 1, 200, "");
    if (every > 0) {
      builder.saving(every);
    }
    Jobs jobs = builder.addDuration("short", 95, 1, 75, "").build();
    assertThat(Runs.run(cluster, jobs, "maestro").startSeconds(1)).isEqualTo(start);
  }

  /** A policy is told of a waiting job what is left of its work, and of a running one both. */
  @Test
  void theValidatorSeesThatNothingWasLost() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 10);
    JobsBuilder builder = Jobs.builder(MODELS).addDuration("long", 0, 8, 20, "");
    Jobs plain = builder.addDuration("short", 5, 8, 14, "").build();
    Segments segments = new Segments();
    RunResult run = Runs.run(cluster, plain, "srtf", 1, segments);
    Jobs saving =
        Jobs.builder(MODELS)
            .addDuration("long", 0, 8, 20, "")
            .saving(3)
            .addDuration("short", 5, 8, 14, "")
            .build();
    assertThat(Validator.check(cluster, saving, segments, run))
        .containsExactly("job long: did work for 18.0 ideal seconds, asked for 20.0");
  }

  /** 20 s of work, saved after each 3, for 1 s: 20 x 4/3 s, stopped after 5 s with 4 s done. */
  @Test
  void savingTakesItsTime() {
    Cluster cluster = Cluster.uniform(1, 8, Network.None.USUAL, 10);
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("long", 0, 8, 20, "")
            .saving(3, 1)
            .addDuration("short", 5, 8, 14, "")
            .build();
    Segments segments = new Segments();
    RunResult run = Runs.run(cluster, jobs, "srtf", 1, segments);
    assertThat(run.finishSeconds(0)).isCloseTo(5 + 14 + 10 + 20 * 4 / 3.0 - 4, within(1e-9));
    assertThat(run.lostGpuSeconds()).isCloseTo(8 * (10 + 1 + 20 / 3.0), within(1e-9));
    assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
  }

  /** One job on one server: what Daly's complete model expects, which nothing here knows of. */
  @ParameterizedTest
  @CsvSource({"600,30,60", "300,60,0", "1800,10,200"})
  void aLongJobTakesAsLongAsTheFormulaSays(double every, double takes, double restart) {
    double between = 3600;
    Failures failures = new Failures(1000 * 86400 / between, 0, 0, 0);
    Cluster cluster =
        Cluster.uniform(1, 1, Network.None.USUAL, restart).failing(failures, List.of());
    double work = 2e7;
    Jobs jobs = Jobs.builder(MODELS).addDuration("a", 0, 1, work, "").saving(every, takes).build();
    double stretch = Runs.run(cluster, jobs, "fifo").finishSeconds(0) / work;
    double expected = Checkpoints.expectedStretch(every, takes, restart, between);
    assertThat(stretch / expected).isCloseTo(1, within(0.02));
    assertThat(Runs.summary(cluster, jobs, Runs.run(cluster, jobs, "fifo")).goodput())
        .isCloseTo(1 / stretch, within(1e-6));
  }

  /** The best interval by the complete model, searched for, is what Daly's estimate says. */
  @ParameterizedTest
  @CsvSource({"60,86400", "300,86400", "600,20000", "30,1e6"})
  void dalysEstimateIsTheBestOfHisModel(double takes, double between) {
    double best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (double every = takes; every < between; every *= 1.001) {
      double stretch = Checkpoints.expectedStretch(every, takes, 0, between);
      if (stretch < least) {
        least = stretch;
        best = every;
      }
    }
    assertThat(Checkpoints.daly(takes, between) / best).isCloseTo(1, within(0.01));
    assertThat(Checkpoints.young(takes, between)).isGreaterThan(best);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyPolicyEndsAllJobsAndLosesWhatItMust(PolicyVariants variant) {
    Seeds.each(
        12,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = saving(random, Workloads.mixed(random, cluster, 20, seed % 4 < 2));
          Segments segments = new Segments();
          RunResult run =
              Runs.run(cluster, jobs, variant.policy(), seed, segments, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          Validator.Checked checked =
              Validator.checked(cluster, jobs, run.lengths(), segments, run);
          assertThat(checked.findings()).isEmpty();
          assertThat(checked.lostGpuSeconds()).isCloseTo(run.lostGpuSeconds(), within(1e-3));
        });
  }

  /** The same jobs, most of which save now and then. */
  private static Jobs saving(RandomGenerator random, Jobs jobs) {
    JobsBuilder builder = Jobs.builder(jobs.models());
    for (int job = 0; job < jobs.size(); job++) {
      String model = jobs.model(job) < 0 ? "" : MODELS.profiles().get(jobs.model(job)).id();
      builder.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), model);
      if (random.nextInt(4) > 0) {
        builder.saving(random.nextInt(1, 30), random.nextInt(0, 3));
      }
    }
    return builder.build();
  }
}
