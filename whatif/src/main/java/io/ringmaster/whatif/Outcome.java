package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.simulator.RunResult;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What one replay came to, job by job. */
final class Outcome {
  private final Jobs jobs;
  private final double[] waitSeconds;
  private final double[] completionSeconds;
  private final double idealGpuSeconds;
  private final double heldGpuSeconds;
  private final long stops;

  private Outcome(
      Jobs jobs,
      double[] waitSeconds,
      double[] completionSeconds,
      double idealGpuSeconds,
      double heldGpuSeconds,
      long stops) {
    this.jobs = jobs;
    this.waitSeconds = waitSeconds;
    this.completionSeconds = completionSeconds;
    this.idealGpuSeconds = idealGpuSeconds;
    this.heldGpuSeconds = heldGpuSeconds;
    this.stops = stops;
  }

  static Outcome of(CompletedRun run) {
    Jobs jobs = run.inputs().jobs();
    RunResult result = run.result();
    double[] waits = new double[jobs.size()];
    double[] completions = new double[jobs.size()];
    double ideal = 0;
    double held = 0;
    for (int job = 0; job < jobs.size(); job++) {
      completions[job] = result.finishSeconds(job) - jobs.submitSeconds(job);
      waits[job] = Math.max(0, completions[job] - result.heldSeconds(job));
      ideal += run.inputs().lengths().idealSeconds(job) * jobs.gpus(job);
      held += result.heldGpuSeconds(job);
    }
    return new Outcome(jobs, waits, completions, ideal, held, run.summary().restarts());
  }

  Jobs jobs() {
    return jobs;
  }

  double wait(int job) {
    return waitSeconds[job];
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
    double[] sorted = Arrays.stream(waitSeconds).filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.min(sorted.length - 1, (int) (0.95 * sorted.length))];
  }

  /** Useful GPU time over GPU time held: what restarts, links and bad places cost. */
  double goodput() {
    return idealGpuSeconds / heldGpuSeconds;
  }

  double lostGpuSeconds() {
    return heldGpuSeconds - idealGpuSeconds;
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
