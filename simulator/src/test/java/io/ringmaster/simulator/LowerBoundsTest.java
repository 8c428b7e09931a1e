package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bounds are what the class says, and no schedule is below them. */
class LowerBoundsTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final Cluster FOUR = Cluster.uniform(1, 4, Network.None.USUAL, 0);

  /**
   * Four GPUs. Two jobs of 4 x 10 s at 0 take the machine 10 s each, one of 1 x 5 s at 100 takes it
   * 1.25 s. Alone they take 10 + 10 + 5 = 25. Shortest first on one machine: 10 + 20 + 1.25. Mean
   * busy times: 5 + 15 + 0.625, and half of 25: 33.125, the greatest. The last job ends no sooner
   * than 105.
   */
  @Test
  void threeJobsByHand() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 4, 10, "")
            .addDuration("b", 0, 4, 10, "")
            .addDuration("c", 100, 1, 5, "")
            .build();
    LowerBounds bounds = Runs.bounds(jobs, FOUR);
    assertThat(bounds.meanJctSeconds()).isCloseTo(33.125 / 3, EXACT);
    assertThat(bounds.makespanSeconds()).isCloseTo(105, EXACT);
  }

  /** Ten jobs of 4 x 10 s at 3: the machine needs 100 s, whoever goes first. */
  @Test
  void allWorkMustBeDone() {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < 10; i++) {
      builder.addDuration("j" + i, 3, 4, 10, "");
    }
    LowerBounds bounds = Runs.bounds(builder.build(), FOUR);
    // One after the other, 10, 20, ... 100, is also the best possible: the bound is reached.
    assertThat(bounds.meanJctSeconds()).isCloseTo(55, EXACT);
    assertThat(bounds.makespanSeconds()).isCloseTo(100, EXACT);
  }

  /** 100 s with two workers are 200 mini-batches: 50 s with the four it may have. */
  @Test
  void elasticJobsAreBoundByTheirBestNumberOfWorkers() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard()).add("e", 0, 2, 1, 4, 100, true, "", "", "").build();
    LowerBounds bounds = Runs.bounds(jobs, FOUR);
    assertThat(bounds.meanJctSeconds()).isCloseTo(50, EXACT);
    assertThat(bounds.makespanSeconds()).isCloseTo(50, EXACT);
  }

  /** More workers than there are GPUs are of no use. */
  @Test
  void elasticJobsAreBoundByTheCluster() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard()).add("e", 0, 2, 1, 64, 100, true, "", "", "").build();
    assertThat(Runs.bounds(jobs, FOUR).makespanSeconds()).isCloseTo(50, EXACT);
  }

  @Test
  void aJobAloneInItsIdealPlaceReachesTheBound() {
    Seeds.each(
        100,
        (random, seed) -> {
          Cluster uniform =
              Cluster.uniform(
                  random.nextInt(1, 5), random.nextInt(1, 9), Workloads.contention(random), 10);
          Jobs jobs =
              Jobs.builder(ModelTable.standard())
                  .addIterations("j", 5, Workloads.gpus(random, uniform), 1000, "vgg16")
                  .build();
          RunResult run = Runs.run(uniform, jobs, "fifo");
          LowerBounds bounds = Runs.bounds(jobs, uniform);
          double jct = run.finishSeconds(0) - 5;
          assertThat(bounds.meanJctSeconds()).isCloseTo(jct, within(1e-9 * jct));
          assertThat(bounds.makespanSeconds()).isCloseTo(jct, within(1e-9 * jct));
        });
  }

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void noPolicyIsBelowTheBounds(String policy) {
    Seeds.each(
        120,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          int count = random.nextInt(1, 30);
          Jobs jobs = Workloads.mixed(random, cluster, count, seed % 4 < 2);
          RunResult run = Runs.run(cluster, jobs, policy, seed, RunObserver.NONE);
          Summary summary = Runs.summary(cluster, jobs, run);
          assertThat(summary.jctMeanSeconds() * (1 + 1e-9))
              .as("mean JCT")
              .isGreaterThanOrEqualTo(summary.lowerBoundJctSeconds());
          assertThat(summary.makespanSeconds() * (1 + 1e-9))
              .as("makespan")
              .isGreaterThanOrEqualTo(summary.lowerBoundMakespanSeconds());
        });
  }
}
