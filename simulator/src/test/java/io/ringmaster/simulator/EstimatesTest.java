package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
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
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** What a policy is told of a job's length. */
class EstimatesTest {
  private static final double UNKNOWN_SECONDS = 3600;

  /**
   * The mean of what the job's group had finished when it came; else of its user, else of all; else
   * an hour. Told once, and not changed by what ends later.
   */
  @Test
  void groupMeanKnowsOnlyWhatHadEnded() {
    Seeds.each(
        150,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Network.None.USUAL, 0);
          Jobs jobs = Workloads.mixed(random, cluster, 40, false);
          Lengths lengths = Lengths.of(jobs, cluster);
          List<Integer> ended = new ArrayList<>();
          Policy checking =
              new Policy() {
                private final Policy sjf = inner("sjf", Map.of("estimate", "group-mean"), cluster);

                @Override
                public void decide(View view, Decisions decisions) {
                  for (int i = 0; i < view.ended().size(); i++) {
                    ended.add(view.ended().get(i));
                  }
                  for (int i = 0; i < view.arrived().size(); i++) {
                    int job = view.arrived().get(i);
                    double mean = expected(jobs, lengths, ended, job);
                    assertThat(view.estimateSeconds(job))
                        .as("estimate of job %d at %s", job, view.nowSeconds())
                        .isCloseTo(mean, within(1e-9 * mean));
                  }
                  sjf.decide(view, decisions);
                }
              };
          Runs.run(cluster, jobs, checking, new Estimate.GroupMean(), seed, RunObserver.NONE);
        });
  }

  private static Policy inner(String policy, Map<String, String> settings, Cluster cluster) {
    PolicySpec spec = Policies.named(policy);
    return spec.create(spec.settings(settings), cluster);
  }

  private static double expected(Jobs jobs, Lengths lengths, List<Integer> ended, int job) {
    IntPredicate sameGroup = j -> jobs.group(j) >= 0 && jobs.group(j) == jobs.group(job);
    IntPredicate sameUser = j -> jobs.user(j) >= 0 && jobs.user(j) == jobs.user(job);
    for (IntPredicate like : List.of(sameGroup, sameUser, (IntPredicate) _ -> true)) {
      double[] found =
          ended.stream()
              .mapToInt(Integer::intValue)
              .filter(like)
              .mapToDouble(lengths::idealSeconds)
              .toArray();
      if (found.length > 0) {
        return DoubleStream.of(found).average().getAsDouble();
      }
    }
    return UNKNOWN_SECONDS;
  }

  @Test
  void perfectIsTheTruth() {
    Cluster cluster = Cluster.uniform(2, 4, Network.Contention.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0, 2, 17, "vgg16")
            .addIterations("b", 0, 4, 100, "")
            .build();
    Estimates estimates = new Estimates(jobs, Lengths.of(jobs, cluster), new Estimate.Perfect(), 1);
    assertThat(estimates.seconds(0)).isEqualTo(17);
    assertThat(estimates.seconds(1)).isEqualTo(100);
  }

  /** The logarithm of the factor is normal: mean 0 and the standard deviation asked for. */
  @Test
  void noiseHasMedianOneAndTheSpreadAskedFor() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    int n = 20_000;
    for (int i = 0; i < n; i++) {
      builder.addDuration("job-" + i, 0, 1, 100, "");
    }
    Jobs jobs = builder.build();
    Estimates estimates =
        new Estimates(jobs, Lengths.of(jobs, cluster), new Estimate.Noise(0.5), 7);
    double[] logs = new double[n];
    for (int job = 0; job < n; job++) {
      estimates.arrive(job, 0);
      logs[job] = Math.log(estimates.seconds(job) / 100);
    }
    double mean = Arrays.stream(logs).average().getAsDouble();
    double variance = Arrays.stream(logs).map(x -> (x - mean) * (x - mean)).sum() / (n - 1);
    // Five standard errors.
    assertThat(mean).isCloseTo(0, within(5 * 0.5 / Math.sqrt(n)));
    assertThat(Math.sqrt(variance)).isCloseTo(0.5, within(5 * 0.5 / Math.sqrt(2.0 * n)));
  }

  @Test
  void noiseDependsOnTheSeedAndTheJobsNameAlone() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    Jobs alone = Jobs.builder(ModelTable.standard()).addDuration("x", 50, 1, 100, "").build();
    Jobs second =
        Jobs.builder(ModelTable.standard())
            .addDuration("other", 0, 1, 5, "")
            .addDuration("x", 1, 1, 100, "")
            .build();
    assertThat(Workloads.noisy(second, cluster, 1, 3))
        .isEqualTo(Workloads.noisy(alone, cluster, 0, 3));
    assertThat(Workloads.noisy(alone, cluster, 0, 4))
        .isNotEqualTo(Workloads.noisy(alone, cluster, 0, 3));
    assertThat(Workloads.noisy(second, cluster, 0, 3) / 5)
        .isNotEqualTo(Workloads.noisy(second, cluster, 1, 3) / 100);
  }

  /** Lengths of 1, 10, 100 and 10,000 s have a geometric mean of 10^1.75 s and a median of 55. */
  @Test
  void reversedAndEqualLengthsAreFixedByAllOfThem() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    double[] seconds = {10, 10_000, 1, 100};
    double[] reversed = told(seconds, cluster, new Estimate.Reversed());
    double square = Math.pow(10, 3.5);
    for (int job = 0; job < seconds.length; job++) {
      assertThat(reversed[job]).isCloseTo(square / seconds[job], within(1e-9 * square));
    }
    assertThat(told(seconds, cluster, new Estimate.Equal())).containsOnly(55);
    assertThat(told(new double[] {7, 3, 4}, cluster, new Estimate.Equal())).containsOnly(4);
  }

  private static double[] told(double[] seconds, Cluster cluster, Estimate kind) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < seconds.length; i++) {
      builder.addDuration("job-" + i, i, 1, seconds[i], "");
    }
    Jobs jobs = builder.build();
    Estimates estimates = new Estimates(jobs, Lengths.of(jobs, cluster), kind, 1);
    double[] told = new double[seconds.length];
    for (int job = 0; job < told.length; job++) {
      estimates.arrive(job, job);
      told[job] = estimates.seconds(job);
    }
    return told;
  }

  @Test
  void wordsOfTheSetting() {
    assertThat(Estimate.parse("reversed")).isEqualTo(new Estimate.Reversed());
    assertThat(Estimate.parse("equal")).isEqualTo(new Estimate.Equal());
    assertThatThrownBy(() -> Estimate.parse("reverse"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Shortest first becomes longest first; if all are told alike, ties go by submission. */
  @Test
  void wrongLengthsTurnTheOrderAround() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("middle", 0, 1, 20, "")
            .addDuration("short", 0, 1, 10, "")
            .addDuration("long", 0, 1, 40, "")
            .build();
    assertThat(starts(cluster, jobs, "perfect")).containsExactly(10, 0, 30);
    assertThat(starts(cluster, jobs, "reversed")).containsExactly(40, 60, 0);
    assertThat(starts(cluster, jobs, "equal")).containsExactly(0, 20, 30);
  }

  private static double[] starts(Cluster cluster, Jobs jobs, String estimate) {
    RunResult run = Runs.run(cluster, jobs, "sjf", "estimate=" + estimate);
    return new double[] {run.startSeconds(0), run.startSeconds(1), run.startSeconds(2)};
  }

  /** A job that is told to take 10 s and takes 100: 10, then half as long again, and so on. */
  @Test
  void aJobThatOutlivesItsEstimateIsExpectedToTakeHalfAsLongAgain() {
    Cluster cluster = Cluster.uniform(1, 1, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .add("first", 0, 1, 1, 1, 10, true, "", "", "g")
            .add("second", 20, 1, 1, 1, 100, true, "", "", "g")
            .build();
    List<Double> told = new ArrayList<>();
    Policy fifo = inner("fifo", Map.of(), cluster);
    Policy noting =
        (view, decisions) -> {
          fifo.decide(view, decisions);
          if (view.waiting(1) || view.running(1)) {
            told.add(view.estimateSeconds(1));
          }
        };
    RunResult run = Runs.run(cluster, jobs, noting, new Estimate.GroupMean(), 1, RunObserver.NONE);
    assertThat(told).containsExactly(10.0, 15.0, 22.5, 33.75, 50.625, 75.9375, 113.90625);
    assertThat(run.finishSeconds(1)).isEqualTo(120);
  }
}
