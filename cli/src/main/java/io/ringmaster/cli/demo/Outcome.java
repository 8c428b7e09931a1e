package io.ringmaster.cli.demo;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What became of the demo's jobs, on this machine or in the simulator.
 *
 * @param how policy with its settings
 * @param jctSeconds from submission to end, of each job
 * @param makespanSeconds from the first submission to the last end
 * @param restartSeconds lost to restarts, of all jobs together
 */
record Outcome(
    String how,
    List<Double> jctSeconds,
    double makespanSeconds,
    long restarts,
    double restartSeconds) {

  /** What the simulator says. */
  static Outcome simulated(
      List<DemoJob> demo,
      Cluster cluster,
      ModelTable models,
      String policy,
      Map<String, String> given) {
    JobsBuilder builder = Jobs.builder(models);
    for (DemoJob job : demo) {
      builder.add(
          job.name(),
          job.submitSeconds(),
          DemoJob.GPUS,
          DemoJob.MIN_GPUS,
          DemoJob.MAX_GPUS,
          job.iterations(),
          false,
          DemoJob.MODEL,
          "demo",
          "");
    }
    Jobs jobs = builder.build();
    RunResult result =
        Run.of(policy, given, 1).simulate(new RunInputs(cluster, jobs), RunObserver.NONE);
    List<Double> jct = new ArrayList<>();
    double last = 0;
    long restarts = 0;
    for (int job = 0; job < jobs.size(); job++) {
      jct.add(result.finishSeconds(job) - jobs.submitSeconds(job));
      last = Math.max(last, result.finishSeconds(job));
      restarts += result.restarts(job);
    }
    return new Outcome(
        how(policy, given), jct, last, restarts, restarts * cluster.restartSeconds());
  }

  static String how(String policy, Map<String, String> settings) {
    StringBuilder how = new StringBuilder(policy);
    settings.forEach((key, value) -> how.append(' ').append(key).append('=').append(value));
    return how.toString();
  }

  double meanSeconds() {
    return jctSeconds.stream().mapToDouble(s -> s).average().orElseThrow();
  }

  /** How far this is from what was measured: of each job's time, in the mean. */
  double errorAgainst(Outcome measured) {
    double sum = 0;
    for (int i = 0; i < jctSeconds.size(); i++) {
      sum += Math.abs(jctSeconds.get(i) / measured.jctSeconds.get(i) - 1);
    }
    return sum / jctSeconds.size();
  }

  record Document(
      String policy,
      double jctMeanSeconds,
      double makespanSeconds,
      long restarts,
      double restartSeconds,
      List<Double> jctSeconds) {}

  Document json() {
    return new Document(how, meanSeconds(), makespanSeconds, restarts, restartSeconds, jctSeconds);
  }
}
