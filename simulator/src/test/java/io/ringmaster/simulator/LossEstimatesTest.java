package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.predictor.loss.LossCurve;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a policy is told of a job's length by its losses. */
class LossEstimatesTest {
  private static final Cluster ONE = Cluster.uniform(1, 1, Network.None.USUAL, 0);

  private static Jobs named(int count, double seconds) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      builder.addDuration("job-" + i, 0, 1, seconds, "");
    }
    return builder.build();
  }

  private static LossEstimates losses(Jobs jobs, double sigma, long seed) {
    return new LossEstimates(Lengths.of(jobs, ONE), new JobChance(jobs, seed), sigma, jobs.size());
  }

  @Test
  void aJobsLastEpochIsTheFirstFlatOne() {
    Jobs jobs = named(5000, 100);
    LossEstimates losses = losses(jobs, 0, 3);
    double logs = 0;
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int job = 0; job < jobs.size(); job++) {
      LossCurve curve = losses.curve(job);
      int epochs = losses.epochs(job);
      assertThat(curve.at(1)).isCloseTo(1, within(1e-9));
      assertThat(curve.flatFrom(10, 0.01)).isEqualTo(epochs);
      logs += Math.log(epochs);
      least = Math.min(least, epochs);
      most = Math.max(most, epochs);
    }
    // Log-uniform from 40 to 160: the median is 80.
    assertThat(logs / jobs.size()).isCloseTo(Math.log(80), within(0.03));
    assertThat(least).isEqualTo(40);
    assertThat(most).isEqualTo(160);
  }

  /** Without noise the fit is exact from the first epochs on, but for rounding to whole epochs. */
  @Test
  void withoutNoiseThreeEpochsSayItAll() {
    Jobs jobs = named(200, 1000);
    LossEstimates losses = losses(jobs, 0, 3);
    for (int job = 0; job < jobs.size(); job++) {
      double epoch = 1000.0 / losses.epochs(job);
      assertThat(losses.arrive(job)).isCloseTo(100 * epoch, within(1e-9));
      assertThat(losses.nextLookSeconds(job)).isCloseTo(3 * epoch, within(1e-9));
      assertThat(losses.look(job, 3 * epoch)).isCloseTo(1000, within(1.01 * epoch));
      assertThat(losses.look(job, 20 * epoch)).isCloseTo(1000, within(1e-6));
      assertThat(losses.nextLookSeconds(job)).isCloseTo(24 * epoch, within(1e-9));
    }
  }

  /** A job's epochs are known when it ends, and are what a new job is expected to take. */
  @Test
  void theMeanOfWhatEndedIsExpectedAtFirst() {
    Jobs jobs = named(3, 1000);
    LossEstimates losses = losses(jobs, 0.1, 3);
    losses.end(0);
    losses.end(1);
    double mean = (losses.epochs(0) + losses.epochs(1)) / 2.0;
    assertThat(losses.arrive(2)).isCloseTo(mean * 1000 / losses.epochs(2), within(1e-9));
  }

  /** The error of what is expected, over many jobs with noise, falls as they go on. */
  @Test
  void theLongerAJobRunsTheMoreIsKnown() {
    Jobs jobs = named(300, 1000);
    LossEstimates losses = losses(jobs, 0.02, 7);
    double[] shares = {0, 0.1, 0.25, 0.5, 0.75};
    double[] errors = new double[shares.length];
    for (int job = 0; job < jobs.size(); job++) {
      errors[0] += Math.abs(losses.arrive(job) - 1000) / jobs.size();
      for (int i = 1; i < shares.length; i++) {
        errors[i] += Math.abs(losses.look(job, 1000 * shares[i]) - 1000) / jobs.size();
      }
    }
    for (int i = 2; i < shares.length; i++) {
      assertThat(errors[i]).as("error at %s", shares[i]).isLessThan(errors[i - 1]);
    }
    assertThat(errors[2]).isLessThan(errors[0]);
    assertThat(errors[3]).isLessThan(50);
  }

  /** What the policy is told lies ahead of what is done, at every moment, and follows the seed. */
  @Test
  void theEstimateIsAheadOfTheJobAndMoves() {
    Jobs jobs = named(1, 1000);
    List<Double> told = told(jobs, 1);
    assertThat(told).hasSizeBetween(10, 60).isEqualTo(told(jobs, 1)).isNotEqualTo(told(jobs, 2));
    assertThat(told.stream().distinct().count()).isGreaterThan(5);
  }

  private static List<Double> told(Jobs jobs, long seed) {
    List<Double> told = new ArrayList<>();
    PolicySpec fifo = Policies.named("fifo");
    Policy inner = fifo.create(fifo.settings(Map.of()), ONE);
    Policy noting =
        (view, decisions) -> {
          inner.decide(view, decisions);
          if (view.running(0)) {
            told.add(view.estimateSeconds(0));
            assertThat(view.estimateSeconds(0)).isGreaterThan(view.doneSeconds(0));
            assertThat(view.expectedEndSeconds(0)).isGreaterThanOrEqualTo(view.nowSeconds());
          }
        };
    RunResult run = Runs.run(ONE, jobs, noting, new Estimate.Loss(0.05), seed, RunObserver.NONE);
    assertThat(run.finishSeconds(0)).isEqualTo(1000);
    return told;
  }

  static Stream<String> policies() {
    return Policies.all().stream()
        .filter(spec -> spec.parameters().contains(Estimate.PARAMETER))
        .map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void everyPolicyRunsByIt(String policy) {
    Seeds.each(
        30,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 20, seed % 4 < 2);
          Segments segments = new Segments();
          String noise = List.of("0", "0.02", "0.3").get((int) (seed % 3));
          RunResult run = Runs.run(cluster, jobs, policy, seed, segments, "estimate=loss:" + noise);
          assertThat(run.finished()).isEqualTo(jobs.size());
          assertThat(Validator.check(cluster, jobs, segments, run)).isEmpty();
        });
  }
}
