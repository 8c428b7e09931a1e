package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Summary;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What one replay came to, job by job. */
final class Outcome {
  private final Jobs jobs;
  private final double[] waitSeconds;
  private final double[] completionSeconds;
  private final double goodput;
  private final double lostGpuSeconds;
  private final long stops;

  private Outcome(
      Jobs jobs,
      double[] waitSeconds,
      double[] completionSeconds,
      double goodput,
      double lostGpuSeconds,
      long stops) {
    this.jobs = jobs;
    this.waitSeconds = waitSeconds;
    this.completionSeconds = completionSeconds;
    this.goodput = goodput;
    this.lostGpuSeconds = lostGpuSeconds;
    this.stops = stops;
  }

  static Outcome of(CompletedRun run) {
    Jobs jobs = run.inputs().jobs();
    RunResult result = run.result();
    double[] waits = new double[jobs.size()];
    double[] completions = new double[jobs.size()];
    for (int job = 0; job < jobs.size(); job++) {
      completions[job] = result.finishSeconds(job) - jobs.submitSeconds(job);
      waits[job] = Math.max(0, completions[job] - result.heldSeconds(job));
    }
    Summary summary = run.summary();
    return new Outcome(
        jobs, waits, completions, summary.goodput(), summary.lostGpuSeconds(), summary.restarts());
  }

  /** What happened in truth; NaN for jobs of which nobody knows. */
  static Outcome truth(Jobs jobs) {
    double[] waits = new double[jobs.size()];
    double[] completions = new double[jobs.size()];
    for (int job = 0; job < jobs.size(); job++) {
      waits[job] = jobs.startedSeconds(job) - jobs.submitSeconds(job);
      completions[job] = jobs.endedSeconds(job) - jobs.submitSeconds(job);
    }
    return new Outcome(jobs, waits, completions, Double.NaN, Double.NaN, 0);
  }

  Jobs jobs() {
    return jobs;
  }

  double wait(int job) {
    return waitSeconds[job];
  }

  double completion(int job) {
    return completionSeconds[job];
  }

  double meanWait() {
    return mean(waitSeconds);
  }

  double meanCompletion() {
    return mean(completionSeconds);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).filter(Double::isFinite).average().orElse(Double.NaN);
  }

  /** The first wait that 95 of 100 are below, as in the figures of a run. */
  double wait95() {
    return wait(0.95);
  }

  double completion95() {
    return completion(0.95);
  }

  /** A quantile of the waits, by the share of jobs below it. */
  double wait(double share) {
    return quantile(waitSeconds, share);
  }

  /** A quantile of the times from submission to end. */
  double completion(double share) {
    return quantile(completionSeconds, share);
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }

  double goodput() {
    return goodput;
  }

  double lostGpuSeconds() {
    return lostGpuSeconds;
  }

  long stops() {
    return stops;
  }

  /** The index of each of its jobs by id. */
  Map<String, Integer> byId() {
    Map<String, Integer> byId = new HashMap<>();
    for (int job = 0; job < jobs.size(); job++) {
      byId.put(jobs.id(job), job);
    }
    return byId;
  }
}
