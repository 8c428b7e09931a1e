package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.BrokenDecision;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that cannot go on after a stop keep their places and sizes, whatever the policy. */
class NotResumableTest {
  private static final ModelTable MODELS = ModelTable.standard();

  static Stream<PolicyVariants> variants() {
    return PolicyVariants.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void aJobThatIsNotResumableIsNeverStoppedMovedOrResized(PolicyVariants variant) {
    Seeds.each(
        40,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = some(random, Workloads.mixed(random, cluster, 20, seed % 4 < 2));
          Segments segments = new Segments();
          RunResult run =
              Runs.run(cluster, jobs, variant.policy(), seed, segments, variant.given());
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
          for (int job = 0; job < jobs.size(); job++) {
            assertThat(jobs.resumable(job) || run.restarts(job) == 0).as("job %d", job).isTrue();
          }
        });
  }

  /** The same jobs, of which each is resumable or not by chance; in some draws none is. */
  private static Jobs some(RandomGenerator random, Jobs jobs) {
    int of = random.nextInt(1, 5);
    JobsBuilder builder = Jobs.builder(jobs.models());
    for (int job = 0; job < jobs.size(); job++) {
      String model = jobs.model(job) < 0 ? "" : MODELS.profiles().get(jobs.model(job)).id();
      builder.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), model);
      if (random.nextInt(of) == 0) {
        builder.notResumable();
      }
    }
    return builder.build();
  }

  /** One server, a long job, then a short one: it waits for 100 s, or goes ahead at once. */
  @ParameterizedTest
  @CsvSource({"srtf,any", "srtf,consolidate", "srsf,any", "srsf,consolidate", "las,any"})
  void theShortWaitsForTheLongThatCannotResume(String policy, String placement) {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 10);
    String given = "placement=" + placement;
    String queues = policy.equals("las") ? "queues=40" : given;
    JobsBuilder pinned = Jobs.builder(MODELS).addDuration("long", 0, 4, 100, "").notResumable();
    Jobs jobs = pinned.addDuration("short", 20, 4, 10, "").build();
    assertThat(Runs.run(cluster, jobs, policy, given, queues).startSeconds(1)).isEqualTo(100);
    Jobs both =
        Jobs.builder(MODELS)
            .addDuration("long", 0, 4, 100, "")
            .addDuration("short", 20, 4, 10, "")
            .build();
    assertThat(Runs.run(cluster, both, policy, given, queues).startSeconds(1)).isEqualTo(20);
  }

  /** Alone it takes all it can; it keeps that, though a second job comes and would have half. */
  @ParameterizedTest
  @CsvSource({"drf", "optimus", "doubling", "gadget", "las-elastic", "maestro"})
  void anElasticJobKeepsTheSizeItStartedWith(String policy) {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(MODELS)
            .add("a", 0, 2, 1, 4, 2000, true, "", "u", "")
            .notResumable()
            .add("b", 10, 2, 1, 4, 200, true, "", "v", "")
            .build();
    RunResult run = Runs.run(cluster, jobs, policy);
    assertThat(run.startSeconds(0)).isZero();
    assertThat(run.finishSeconds(0)).isEqualTo(1000);
    assertThat(run.startSeconds(1)).isEqualTo(1000);
  }

  @Test
  void aPolicyThatStopsItIsTold() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 10);
    Jobs jobs =
        Jobs.builder(MODELS).add("a", 0, 2, 1, 4, 100, true, "", "", "").notResumable().build();
    List<BiConsumer<View, Decisions>> breaches =
        List.of(
            (_, decisions) -> decisions.suspend(0),
            (_, decisions) -> decisions.resize(0, Placement.on(0, 4)));
    for (BiConsumer<View, Decisions> breach : breaches) {
      Policy policy =
          (view, decisions) -> {
            if (view.waiting(0)) {
              decisions.start(0, Placement.on(0, 2));
              decisions.wakeAt(50);
            } else if (view.running(0)) {
              breach.accept(view, decisions);
            }
          };
      assertThatThrownBy(
              () -> Runs.run(cluster, jobs, policy, new Estimate.Perfect(), 1, RunObserver.NONE))
          .isInstanceOf(BrokenDecision.class)
          .hasMessageContaining("at 50.0 s: job a cannot be")
          .hasMessageEndingWith("it is not resumable");
    }
  }

  @Test
  void theValidatorSeesThatOneWasStopped() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 10);
    JobsBuilder builder = Jobs.builder(MODELS).addDuration("a", 0, 4, 100, "");
    Jobs plain = builder.addDuration("b", 20, 4, 10, "").build();
    Segments segments = new Segments();
    RunResult run = Runs.run(cluster, plain, "srtf", 1, segments);
    assertThat(Validator.check(cluster, plain, segments, run)).isEmpty();
    Jobs pinned =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 100, "")
            .notResumable()
            .addDuration("b", 20, 4, 10, "")
            .build();
    assertThat(Validator.check(cluster, pinned, segments, run))
        .containsExactly("job a: is not resumable, and has 2 segments");
  }

  /** Four GPUs for a restart of 10 s: 40 of (100 + 10 + 10) x 4 GPU-seconds. */
  @Test
  void aRestartIsLostWork() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 10);
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 4, 100, "")
            .addDuration("b", 20, 4, 10, "")
            .build();
    Summary summary = Runs.summary(cluster, jobs, Runs.run(cluster, jobs, "srtf"));
    assertThat(summary.lostGpuSeconds()).isEqualTo(40);
    assertThat(summary.goodput()).isEqualTo(440 / 480.0);
    assertThat(summary.stopsMost()).isOne();
    assertThat(summary.failures()).isZero();
  }
}
