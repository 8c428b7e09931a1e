package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a forest tells a policy while jobs come and end. */
class PredictedLengthsTest {
  private static final int COUNT = 1500;

  /** Runs of thirty groups; a run with more GPUs is shorter. */
  private static Jobs recurring() {
    SplittableRandom random = new SplittableRandom(1);
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    double[] typical = random.doubles(30).map(u -> 200 * Math.exp(5 * u)).toArray();
    double submit = 0;
    for (int i = 0; i < COUNT; i++) {
      submit += -1100 * Math.log(1 - random.nextDouble());
      int group = random.nextInt(30);
      int gpus = 1 << random.nextInt(4);
      double seconds = typical[group] / gpus * Math.exp(0.2 * random.nextGaussian());
      jobs.add("j" + i, submit, gpus, gpus, gpus, seconds, true, "", "u" + group % 4, "g" + group);
    }
    return jobs.build();
  }

  /** Runs sjf, and adds up by what factor, as a logarithm, what it was told is off. */
  private static final class Told implements Policy {
    private final Policy sjf;
    private final Lengths lengths;
    private double logError;

    Told(Jobs jobs, Cluster cluster) {
      PolicySpec spec = Policies.named("sjf");
      sjf = spec.create(spec.settings(Map.of()), cluster);
      lengths = Lengths.of(jobs, cluster);
    }

    @Override
    public void decide(View view, Decisions decisions) {
      for (int i = 0; i < view.arrived().size(); i++) {
        int job = view.arrived().get(i);
        logError += Math.abs(Math.log(view.estimateSeconds(job) / lengths.idealSeconds(job)));
      }
      sjf.decide(view, decisions);
    }
  }

  private static double[] errorAndMeanJct(Jobs jobs, Estimate estimate) {
    Cluster cluster = Cluster.uniform(2, 4, Network.None.USUAL, 0);
    Told told = new Told(jobs, cluster);
    RunResult run = Runs.run(cluster, jobs, told, estimate, 1, RunObserver.NONE);
    double sum = 0;
    for (int job = 0; job < COUNT; job++) {
      sum += run.finishSeconds(job) - jobs.submitSeconds(job);
    }
    return new double[] {told.logError / COUNT, sum / COUNT};
  }

  @Test
  void itTellsMoreThanTheGroupsMean() {
    Jobs jobs = recurring();
    double[] perfect = errorAndMeanJct(jobs, new Estimate.Perfect());
    double[] predicted = errorAndMeanJct(jobs, Estimate.parse("predicted"));
    double[] mean = errorAndMeanJct(jobs, new Estimate.GroupMean());
    assertThat(perfect[0]).isZero();
    assertThat(predicted[0]).isBetween(0.1, 0.6 * mean[0]);
    assertThat(predicted[1]).isBetween(0.9 * perfect[1], mean[1]);
    assertThat(errorAndMeanJct(jobs, new Estimate.Predicted())).isEqualTo(predicted);
  }
}
