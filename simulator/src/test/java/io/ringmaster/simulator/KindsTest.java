package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Failures;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers with GPUs of several kinds, and jobs that name them. */
class KindsTest {
  private static final ModelTable MODELS = ModelTable.standard();
  private static final Where A100 = Where.parse("a100");
  private static final Where V100 = Where.parse("v100");
  private static final Where EITHER = Where.parse("a100|v100");
  private static final KindSpeeds HALF = KindSpeeds.parse("v100:0.5");

  /** Servers s0001, s0002, ... with so many GPUs of the kinds. */
  private static Cluster cluster(int gpus, Network network, String... kinds) {
    List<Server> servers = new ArrayList<>();
    for (String kind : kinds) {
      servers.add(new Server(Cluster.serverName(servers.size()), gpus, kind, "r1", 1.25e9, 37.5e9));
    }
    return new Cluster("kinds", servers, network, 0);
  }

  private static Cluster two() {
    return cluster(4, Network.None.USUAL, "a100", "v100");
  }

  private static RunResult checked(Cluster cluster, Jobs jobs, String policy, String... settings) {
    Segments rows = new Segments();
    RunResult run = Runs.run(cluster, jobs, policy, 1, rows, settings);
    assertThat(Validator.check(cluster, jobs, rows, run)).isEmpty();
    return run;
  }

  /** "b" waits for the GPUs that "a" has; "c" need not, unless nobody may pass "b". */
  @Test
  void aJobWaitsForAKindThatItMayUse() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 10, "")
            .onKinds(A100, KindSpeeds.NONE)
            .addDuration("b", 1, 4, 5, "")
            .onKinds(A100, KindSpeeds.NONE)
            .addDuration("c", 2, 4, 3, "")
            .onKinds(V100, KindSpeeds.NONE)
            .build();
    RunResult passing = checked(two(), jobs, "fifo", "blocking=false");
    assertThat(passing.startSeconds(1)).isEqualTo(10);
    assertThat(passing.startSeconds(2)).isEqualTo(2);
    assertThat(checked(two(), jobs, "fifo").startSeconds(2)).isEqualTo(10);
    assertThat(passing.notes())
        .containsEntry("gpu_utilization_a100", 1.0)
        .containsEntry("gpu_utilization_v100", 3 / 15.0);
  }

  /** A duration is that at a speed of 1: half of it where the GPU is twice as fast. */
  @Test
  void aJobRunsAtItsSpeedOnAKind() {
    KindSpeeds speeds = KindSpeeds.parse("a100:2|v100:0.5");
    Jobs any =
        Jobs.builder(MODELS).addDuration("a", 0, 4, 10, "").onKinds(Where.ANY, speeds).build();
    Jobs slow = Jobs.builder(MODELS).addDuration("a", 0, 4, 10, "").onKinds(V100, speeds).build();
    assertThat(checked(two(), any, "fifo").finishSeconds(0)).isEqualTo(5);
    RunResult run = checked(two(), slow, "fifo");
    assertThat(run.finishSeconds(0)).isEqualTo(20);
    assertThat(Runs.summary(two(), slow, run).slowdownMean()).isEqualTo(1);
    assertThat(Runs.bounds(any, two()).meanJctSeconds()).isEqualTo(5);
    Cluster one = cluster(4, Network.None.USUAL, "v100", "v100");
    assertThat(checked(one, any, "fifo").finishSeconds(0)).isEqualTo(20);
  }

  /** A faster GPU computes faster, and exchanges as before. */
  @Test
  void onlyComputingIsFaster() {
    ModelProfile plain = new ModelProfile("m", 800e6, 4, 0.01, 0.04, "test");
    ModelProfile fast = new ModelProfile("m", 800e6, 4, 0.005, 0.02, "test");
    ModelTable models = MODELS.with(List.of(plain.speeding(KindSpeeds.parse("a100:2"))));
    Cluster cluster = cluster(4, Network.Contention.USUAL, "v100", "a100", "a100");
    Jobs jobs = Jobs.builder(models).addIterations("a", 0, 8, 100, "m").build();
    Placement onFast = Placement.of(new int[] {1, 2}, new int[] {4, 4});
    assertThat(jobs.namesKinds()).isTrue();
    assertThat(checked(cluster, jobs, "fifo").finishSeconds(0))
        .isCloseTo(100 * IterationTime.of(cluster).seconds(fast, onFast, 1), within(1e-9));
  }

  /** On a100 "b" would wait 10 s for "a" and take 8; on v100 it takes 16 from now on. */
  @Test
  void aJobIsForTheKindOnWhichItEndsFirst() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 10, "")
            .onKinds(EITHER, HALF)
            .addDuration("b", 0, 4, 8, "")
            .onKinds(EITHER, HALF)
            .addDuration("c", 0, 4, 1, "")
            .onKinds(EITHER, HALF)
            .build();
    RunResult run = checked(two(), jobs, "fifo");
    assertThat(run.finishSeconds(0)).isEqualTo(10);
    assertThat(run.finishSeconds(1)).isEqualTo(16);
    assertThat(run.finishSeconds(2)).isEqualTo(11);
  }

  /**
   * A policy that does not know lengths gives nothing away: on a100 "b" would wait for the rest of
   * "a", which is shorter than what half the speed costs if both are as long.
   */
  @Test
  void lengthsThatNobodyAsksForAreNotUsed() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 100, "")
            .onKinds(A100, KindSpeeds.NONE)
            .addDuration("b", 1, 4, 1, "")
            .onKinds(EITHER, HALF)
            .build();
    assertThat(checked(two(), jobs, "fifo").finishSeconds(1)).isEqualTo(3);
    PolicySpec fifo = Policies.named("fifo");
    Settings usual = fifo.settings(Map.of());
    RunResult run =
        new Simulation(
                two(),
                jobs,
                Lengths.of(jobs, two()),
                "fifo",
                open -> fifo.create(usual, open),
                fifo.estimate(usual),
                1,
                RunObserver.NONE)
            .usingNoLengths()
            .run();
    assertThat(run.finishSeconds(1)).isEqualTo(101);
  }

  /**
   * "c" runs on v100 from 1 s on, since a100 has "a" until 30 s. At 25 s "d" takes its place, when
   * 8 of its 20 s are left, 16 there. At 30 s a100 is idle, and "c" goes on there two seconds
   * later.
   */
  @Test
  void aJobThatWaitsChangesToAnIdleKind() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 30, "")
            .onKinds(A100, KindSpeeds.NONE)
            .addDuration("c", 1, 4, 20, "")
            .onKinds(EITHER, HALF)
            .addDuration("d", 25, 4, 10, "")
            .onKinds(V100, KindSpeeds.NONE)
            .build();
    RunResult run = checked(two(), jobs, "srtf");
    assertThat(run.startSeconds(1)).isEqualTo(1);
    assertThat(run.finishSeconds(2)).isEqualTo(35);
    assertThat(run.finishSeconds(1)).isEqualTo(40);
    assertThat(run.restarts(1)).isEqualTo(1);
  }

  /** Four GPUs of a kind are free on two servers; "b" waits for them rather than mix. */
  @Test
  void aJobMixesKindsOnlyIfItSaysSo() {
    Cluster cluster = cluster(2, Network.None.USUAL, "a100", "v100", "a100", "v100");
    JobsBuilder builder =
        Jobs.builder(MODELS).addDuration("a", 0, 2, 10, "").onKinds(A100, KindSpeeds.NONE);
    Jobs strict =
        builder
            .addDuration("x", 0, 2, 20, "")
            .onKinds(V100, KindSpeeds.NONE)
            .addDuration("b", 1, 4, 5, "")
            .onKinds(EITHER, HALF)
            .build();
    Jobs loose =
        Jobs.builder(MODELS)
            .addLike(strict, 0, "a", 0, "")
            .addLike(strict, 1, "x", 0, "")
            .addDuration("b", 1, 4, 5, "")
            .onKinds(Where.parse("a100+v100"), HALF)
            .build();
    assertThat(checked(cluster, strict, "fifo", "placement=pack").startSeconds(2)).isEqualTo(10);
    RunResult mixed = checked(cluster, loose, "fifo", "placement=pack");
    assertThat(mixed.startSeconds(2)).isEqualTo(1);
    assertThat(mixed.finishSeconds(2)).isEqualTo(11);
    assertThat(cluster.countingKinds().mostWorkers(Demand.NONE.on(EITHER))).isEqualTo(4);
    assertThat(cluster.countingKinds().mostWorkers(Demand.NONE.on(Where.parse("a100+v100"))))
        .isEqualTo(8);
  }

  @Test
  void theValidatorSeesWrongKinds() {
    Cluster cluster = cluster(2, Network.None.USUAL, "a100", "v100");
    Jobs silent = Jobs.builder(MODELS).addDuration("a", 0, 4, 10, "").build();
    Segments rows = new Segments();
    RunResult run = Runs.run(cluster, silent, "fifo", 1, rows);
    Cluster wide = cluster(4, Network.None.USUAL, "a100", "v100");
    Jobs either =
        Jobs.builder(MODELS)
            .addLike(silent, 0, "a", 0, "")
            .onKinds(EITHER, KindSpeeds.NONE)
            .build();
    Jobs only =
        Jobs.builder(MODELS).addLike(silent, 0, "a", 0, "").onKinds(V100, KindSpeeds.NONE).build();
    assertThat(Validator.check(wide, either, rows, run))
        .containsExactly("job a: may not mix kinds of GPU, and has a100 and v100 at 0.0 s");
    assertThat(Validator.check(wide, only, rows, run))
        .containsExactly("job a: may use GPUs of v100, and has a100 at 0.0 s");
  }

  @Test
  void whoNamesNoKindIsAsBefore() {
    Jobs jobs = Jobs.builder(MODELS).addDuration("a", 0, 8, 10, "").build();
    assertThat(jobs.namesKinds()).isFalse();
    assertThat(two().counting(jobs).limitsMoreThanGpus()).isFalse();
    assertThat(checked(two(), jobs, "fifo").finishSeconds(0)).isEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("io.ringmaster.simulator.PolicyVariants#all")
  void everyPolicyEndsAllJobsOnTheirKinds(PolicyVariants variant) {
    Seeds.each(
        2,
        (random, seed) -> {
          Cluster cluster = cluster(random, seed);
          Jobs jobs = jobs(random, cluster, 25, seed % 4 < 2);
          Segments rows = new Segments();
          RunResult run = Runs.run(cluster, jobs, variant.policy(), seed, rows, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, rows, run)).isEmpty();
          assertThat(Runs.summary(cluster, jobs, run).jctMeanSeconds())
              .isGreaterThanOrEqualTo(Runs.bounds(jobs, cluster).meanJctSeconds() - 1e-6);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "srtf", "sjf-bco", "gadget", "maestro"})
  void theSameSeedGivesTheSameRun(String policy) {
    Seeds.each(
        4,
        (random, seed) -> {
          Cluster cluster = cluster(random, seed);
          Jobs jobs = jobs(random, cluster, 15, seed % 2 == 0);
          RunResult once = Runs.run(cluster, jobs, policy, seed, RunObserver.NONE);
          RunResult again = Runs.run(cluster, jobs, policy, seed, RunObserver.NONE);
          for (int job = 0; job < jobs.size(); job++) {
            assertThat(again.finishSeconds(job)).isEqualTo(once.finishSeconds(job));
          }
        });
  }

  /** One to seven servers of up to three kinds; CPUs are counted or not, and some fail. */
  private static Cluster cluster(RandomGenerator random, long seed) {
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(1, 8);
    for (int s = 0; s < count; s++) {
      Server server =
          new Server(
              Cluster.serverName(s),
              random.nextInt(1, 9),
              List.of("a100", "v100", "k80").get(random.nextInt(3)),
              "r1",
              random.nextInt(1, 4) * 1.25e9,
              random.nextInt(1, 4) * 12.5e9);
      servers.add(
          seed % 3 == 0
              ? server.limited(server.gpus(), 4.0 * server.gpus(), Double.POSITIVE_INFINITY)
              : server);
    }
    Network network = Workloads.network(random, seed);
    Cluster calm = new Cluster("random", servers, network, seed % 2 == 0 ? 0 : 10);
    double every = 1000 * 86400.0 / random.nextInt(500, 3000);
    return seed % 4 < 2
        ? calm
        : calm.failing(new Failures(every, random.nextInt(100), 0, 0), List.of());
  }

  private static Jobs jobs(RandomGenerator random, Cluster cluster, int count, boolean elastic) {
    ModelTable models =
        MODELS.with(
            List.of(
                new ModelProfile("fast", 100e6, 32, 1e-3, 0.05, "made up")
                    .speeding(KindSpeeds.parse("a100:3|k80:0.2"))));
    List<String> names = List.of("", "vgg16", "resnet50", "fast");
    List<String> wheres = List.of("", "a100", "a100|v100", "v100+k80", "k80|v100", "v100");
    List<String> speeds = List.of("", "a100:2|k80:0.25", "v100:0.4");
    JobsBuilder builder = Jobs.builder(models);
    while (builder.size() < count) {
      String model = names.get(random.nextInt(names.size()));
      String where = wheres.get(random.nextInt(wheres.size()));
      String own = speeds.get(random.nextInt(speeds.size()));
      Where kinds = where.isEmpty() ? Where.ANY : Where.parse(where);
      boolean speedy = !own.isEmpty() || model.equals("fast");
      Where asked = speedy && where.isEmpty() ? Where.ONE_KIND : kinds;
      Demand demand = new Demand(random.nextInt(4), 0);
      Cluster counting = cluster.countingKinds();
      int most =
          counting.limitsMoreThanGpus()
              ? counting.mostWorkers(demand.on(asked))
              : asked.allows(cluster.server(0)) ? cluster.totalGpus() : 0;
      if (most > 0) {
        Workloads.addFitting(builder, random, cluster, most, model, elastic)
            .asking(demand)
            .onKinds(kinds, own.isEmpty() ? KindSpeeds.NONE : KindSpeeds.parse(own));
      }
    }
    return builder.build();
  }
}
