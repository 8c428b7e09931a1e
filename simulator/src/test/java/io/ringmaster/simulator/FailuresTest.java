package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Checkpoints;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.Maintenance;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Slots;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that fail, are drained or taken away, and jobs that fail by themselves. */
class FailuresTest {
  private static final ModelTable MODELS = ModelTable.standard();

  static Stream<PolicyVariants> variants() {
    return PolicyVariants.all();
  }

  private static Cluster taken(int servers, int gpus, double restart, Maintenance... times) {
    return Cluster.uniform(servers, gpus, Network.None.USUAL, restart)
        .failing(Failures.NONE, List.of(times));
  }

  private static RunResult checked(Cluster cluster, Jobs jobs, String policy, Segments rows) {
    RunResult run = Runs.run(cluster, jobs, policy, 1, rows);
    Validator.Checked checked = Validator.checked(cluster, jobs, run.lengths(), rows, run);
    assertThat(checked.findings()).isEmpty();
    assertThat(checked.lostGpuSeconds()).isCloseTo(run.lostGpuSeconds(), within(1e-6));
    return run;
  }

  /** Rates that make something fail about every so many seconds. */
  private static double every(double seconds) {
    return 1000 * 86400 / seconds;
  }

  /**
   * The only server is away from 5 to 15 s. A job of 20 s goes on after it and after its restart of
   * 10 s: with 15 s left, with 17 if it saves every 3 s, with all 20 if it cannot resume.
   */
  @Test
  void aJobWhoseServerIsTakenAwayGoesOnWhereItSaved() {
    Cluster cluster = taken(1, 8, 10, new Maintenance("s0001", false, 5, 10, 0));
    Jobs plain = Jobs.builder(MODELS).addDuration("a", 0, 8, 20, "").build();
    Jobs saving = Jobs.builder(MODELS).addDuration("a", 0, 8, 20, "").saving(3).build();
    Jobs pinned = Jobs.builder(MODELS).addDuration("a", 0, 8, 20, "").notResumable().build();
    assertThat(checked(cluster, plain, "fifo", new Segments()).finishSeconds(0)).isEqualTo(40);
    assertThat(checked(cluster, saving, "fifo", new Segments()).finishSeconds(0)).isEqualTo(42);
    RunResult again = checked(cluster, pinned, "fifo", new Segments());
    assertThat(again.finishSeconds(0)).isEqualTo(45);
    Summary summary = Runs.summary(cluster, pinned, again);
    assertThat(summary.lostGpuSeconds()).isEqualTo(8 * (5 + 10));
    assertThat(summary.goodput()).isCloseTo(20 / 35.0, within(1e-12));
    assertThat(summary.ettr()).isCloseTo(20 / 45.0, within(1e-12));
    assertThat(summary.failures()).isZero();
    assertThat(summary.restarts()).isOne();
  }

  /**
   * The first of two servers is drained from 10 s and away from 30 to 40 s. "a" goes on there until
   * 20 s; "b" and then "c" are on the other, though the first is free from 20 s on; "d" needs both.
   */
  @Test
  void nothingStartsOnADrainedServerAndWhatRunsThereGoesOn() {
    Cluster cluster = taken(2, 4, 10, new Maintenance("s0001", false, 30, 10, 20));
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 20, "")
            .addDuration("b", 12, 4, 10, "")
            .addDuration("c", 13, 4, 5, "")
            .addDuration("d", 14, 8, 5, "")
            .build();
    RunResult run = checked(cluster, jobs, "fifo", new Segments());
    assertThat(run.finishSeconds(0)).isEqualTo(20);
    assertThat(run.startSeconds(1)).isEqualTo(12);
    assertThat(run.startSeconds(2)).isEqualTo(22);
    assertThat(run.startSeconds(3)).isEqualTo(40);
    assertThat(run.restarts(0)).isZero();
    assertThat(run.mishaps())
        .extracting(Mishap::kind)
        .containsExactly(Mishap.Kind.DRAIN, Mishap.Kind.MAINTENANCE);
  }

  /** A job across two servers loses both when one goes, and starts again on the two that are up. */
  @Test
  void aRackTakesAllItsServers() {
    Cluster cluster = taken(3, 4, 0, new Maintenance("r1", true, 5, 10, 0));
    Jobs jobs = Jobs.builder(MODELS).addDuration("a", 0, 8, 20, "").build();
    RunResult run = checked(cluster, jobs, "srtf", new Segments());
    assertThat(run.finishSeconds(0)).isEqualTo(30);
  }

  @Test
  void theValidatorSeesAJobOnAServerThatIsAwayOrDrained() {
    Jobs jobs = Jobs.builder(MODELS).addDuration("a", 6, 4, 20, "").build();
    Segments rows = new Segments();
    Cluster calm = taken(2, 4, 10);
    RunResult run = Runs.run(calm, jobs, "fifo", 1, rows);
    run.mishaps = List.of(new Mishap(Mishap.Kind.NODE, "s0001", 10, 15));
    assertThat(Validator.check(calm, jobs, rows, run))
        .containsExactly(
            "job a: is on server s0001 from 6.0 s to 26.0 s, which is away from 10.0 s to 15.0 s");
    run.mishaps = List.of(new Mishap(Mishap.Kind.DRAIN, "s0001", 5, 15));
    assertThat(Validator.check(calm, jobs, rows, run))
        .containsExactly("job a: starts on server s0001 at 6.0 s, which is drained");
  }

  /** One server with one job: what becomes of it follows from the failures alone. */
  @Test
  void aFailureSendsAJobBackToItsLastCheckpointOrToTheBeginning() {
    Seeds.each(
        200,
        (random, seed) -> {
          Failures failures =
              new Failures(every(60), random.nextInt(0, 20), every(200), every(400));
          Cluster cluster =
              Cluster.uniform(1, 4, Network.None.USUAL, random.nextInt(0, 6))
                  .failing(failures, List.of());
          double every = random.nextInt(0, 20);
          double length = random.nextInt(10, 80);
          JobsBuilder builder = Jobs.builder(MODELS).addDuration("a", 3, 4, length, "");
          Jobs jobs = (every == 0 ? builder : builder.saving(every)).build();
          Segments rows = new Segments();
          RunResult run = Runs.run(cluster, jobs, "fifo", seed, rows);
          assertThat(Validator.check(cluster, jobs, rows, run)).isEmpty();
          assertThat(run.finishSeconds(0))
              .isCloseTo(
                  plainFinish(run.mishaps(), length, every, cluster.restartSeconds()),
                  within(1e-6));
          assertThat(run.lostGpuSeconds())
              .isCloseTo(run.heldGpuSeconds(0) - 4 * length, within(1e-6));
        });
  }

  private static double plainFinish(
      List<Mishap> mishaps, double length, double every, double restart) {
    double kept = 0;
    double from = 3;
    double free = 3;
    for (Mishap mishap : mishaps) {
      double at = mishap.atSeconds();
      if (at >= free) {
        double done = kept + Math.max(0, at - from);
        if (from + length - kept <= at) {
          break;
        }
        kept = every == 0 ? 0 : Checkpoints.kept(done, every);
      }
      double back = mishap.kind() == Mishap.Kind.JOB ? at : mishap.backSeconds();
      free = Math.max(free, back);
      from = free + restart;
    }
    return from + length - kept;
  }

  /** What fails when does not depend on what the policy does, but for jobs that fail. */
  @Test
  void everyPolicyMeetsTheSameFailures() {
    Cluster cluster =
        Cluster.uniform(4, 4, Network.None.USUAL, 5)
            .failing(new Failures(every(300), 40, every(900), 0), List.of());
    Jobs jobs = Workloads.mixed(new SplittableRandom(5), cluster, 40, false);
    List<Mishap> fifo = Runs.run(cluster, jobs, "fifo").mishaps();
    List<Mishap> las = Runs.run(cluster, jobs, "las").mishaps();
    int both = Math.min(fifo.size(), las.size());
    assertThat(both).isGreaterThan(5);
    assertThat(fifo.subList(0, both)).isEqualTo(las.subList(0, both));
  }

  /** Of 400 servers in 1000 days; the mean is 4 each, the deviation of the sum 40. */
  @Test
  void failuresComeAsOftenAsTheRateSays() {
    Cluster cluster =
        Cluster.uniform(400, 1, Network.None.USUAL, 0).failing(new Failures(4, 0, 0, 0), List.of());
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 1, 1, "")
            .addDuration("b", 1000 * 86400.0, 1, 1, "")
            .build();
    assertThat(Runs.run(cluster, jobs, "fifo").mishaps().size()).isBetween(1400, 1800);
  }

  @Test
  void whoNeverGetsFurtherIsNamed() {
    Cluster cluster =
        Cluster.uniform(1, 1, Network.None.USUAL, 1)
            .failing(new Failures(every(10), 1, 0, 0), List.of());
    Jobs jobs = Jobs.builder(MODELS).addDuration("endless", 0, 1, 10_000, "").build();
    assertThatThrownBy(() -> Runs.run(cluster, jobs, "fifo"))
        .hasMessage(
            "job endless was stopped 10000 times in a row before it had saved anything more; let it"
                + " save more often (checkpoint_s), or use another policy than tested");
  }

  /** Some thousand of them: an hour in the mean, and half of them within its logarithm of two. */
  @Test
  void repairsThatVaryAreExponential() {
    Failures failures = new Failures(100, 3600, 0, 0, true);
    Cluster cluster = Cluster.uniform(400, 1, Network.None.USUAL, 0).failing(failures, List.of());
    Outages outages = new Outages(cluster, new Slots(0), 0, 1);
    outages.advance(100 * 86400.0);
    double[] hours =
        outages.mishaps().stream()
            .mapToDouble(mishap -> (mishap.backSeconds() - mishap.atSeconds()) / 3600)
            .sorted()
            .toArray();
    assertThat(hours.length).isBetween(3700, 4300);
    assertThat(Arrays.stream(hours).average().orElseThrow()).isBetween(0.94, 1.06);
    assertThat(hours[hours.length / 2]).isBetween(0.64, 0.75);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyPolicyEndsAllJobsOnServersThatComeAndGo(PolicyVariants variant) {
    Seeds.each(
        5,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster calm = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Cluster cluster = calm.failing(failures(random), maintenance(random, calm));
          Jobs jobs = some(random, Workloads.mixed(random, cluster, 20, seed % 4 < 2));
          Segments segments = new Segments();
          RunResult run =
              Runs.run(cluster, jobs, variant.policy(), seed, segments, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          Validator.Checked checked =
              Validator.checked(cluster, jobs, run.lengths(), segments, run);
          assertThat(checked.findings()).isEmpty();
          assertThat(checked.lostGpuSeconds()).isCloseTo(run.lostGpuSeconds(), within(1e-3));
          assertThat(Runs.summary(cluster, jobs, run).jctMeanSeconds())
              .isGreaterThanOrEqualTo(Runs.bounds(jobs, cluster).meanJctSeconds() - 1e-6);
        });
  }

  private static Failures failures(RandomGenerator random) {
    return new Failures(
        every(random.nextInt(500, 3000)),
        random.nextInt(0, 100),
        random.nextBoolean() ? 0 : every(3000),
        random.nextBoolean() ? 0 : every(10_000));
  }

  private static List<Maintenance> maintenance(RandomGenerator random, Cluster cluster) {
    List<Maintenance> times = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      String server = cluster.server(random.nextInt(cluster.size())).name();
      times.add(
          new Maintenance(
              server, false, random.nextInt(400), random.nextInt(60), random.nextInt(100)));
    }
    return times;
  }

  /** The same jobs, some of which save now and then, or cannot resume. */
  private static Jobs some(RandomGenerator random, Jobs jobs) {
    JobsBuilder builder = Jobs.builder(jobs.models());
    for (int job = 0; job < jobs.size(); job++) {
      String model = jobs.model(job) < 0 ? "" : MODELS.profiles().get(jobs.model(job)).id();
      builder.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), model);
      int kind = random.nextInt(4);
      if (kind == 0) {
        builder.notResumable();
      } else if (kind > 1) {
        builder.saving(random.nextInt(1, 30));
      }
    }
    return builder.build();
  }
}
