package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.Ranks;

/**
 * The figures of a run. A percentile is the first value that such a share of the jobs is below.
 *
 * @param goodput of the GPU-seconds that jobs held, the share that was not lost
 * @param lostGpuSeconds GPU-seconds that jobs held while they started or restarted, or did what was
 *     lost when they were stopped
 * @param failures of servers, racks and jobs
 * @param ettr effective training time: of the time from their first start to their end, with the
 *     GPUs that they held, or ask for while they held none, the share in which jobs got further for
 *     good
 * @param stopsMost how often the job was stopped, moved or resized that was so most often
 */
public record Summary(
    String policy,
    long seed,
    int jobs,
    int finished,
    double makespanSeconds,
    double jctMeanSeconds,
    double jctP50Seconds,
    double jctP95Seconds,
    double jctP99Seconds,
    double waitMeanSeconds,
    double gpuUtilization,
    double slowdownMean,
    long restarts,
    double lowerBoundJctSeconds,
    double lowerBoundMakespanSeconds,
    double energyKwh,
    double goodput,
    double lostGpuSeconds,
    double ettr,
    int failures,
    int stopsMost,
    long events) {

  private static final double JOULES_PER_KILOWATT_HOUR = 3.6e6;

  public static Summary of(
      String policy, long seed, Cluster cluster, Jobs jobs, RunResult run, LowerBounds bounds) {
    int n = jobs.size();
    double[] jct = new double[n];
    double jctSum = 0;
    double heldSum = 0;
    double gpuSeconds = 0;
    double slowdowns = 0;
    double last = 0;
    long restarts = 0;
    int stopsMost = 0;
    double waitedGpuSeconds = 0;
    for (int job = 0; job < n; job++) {
      jct[job] = run.finishSeconds(job) - jobs.submitSeconds(job);
      jctSum += jct[job];
      heldSum += run.heldSeconds(job);
      double began = run.finishSeconds(job) - run.startSeconds(job);
      waitedGpuSeconds += jobs.gpus(job) * Math.max(0, began - run.heldSeconds(job));
      gpuSeconds += run.heldGpuSeconds(job);
      slowdowns += run.heldSeconds(job) / run.lengths().idealSeconds(job);
      last = Math.max(last, run.finishSeconds(job));
      restarts += run.restarts(job);
      stopsMost = Math.max(stopsMost, run.restarts(job));
    }
    double[] percentiles = Ranks.at(jct, 0, n, place(n, 0.50), place(n, 0.95), place(n, 0.99));
    double makespan = last - jobs.submitSeconds(0);
    return new Summary(
        policy,
        seed,
        n,
        run.finished(),
        makespan,
        jctSum / n,
        percentiles[0],
        percentiles[1],
        percentiles[2],
        (jctSum - heldSum) / n,
        gpuSeconds / (cluster.totalGpus() * makespan),
        slowdowns / n,
        restarts,
        bounds.meanJctSeconds(),
        bounds.makespanSeconds(),
        run.energyJoules() / JOULES_PER_KILOWATT_HOUR,
        (gpuSeconds - run.lostGpuSeconds()) / gpuSeconds,
        run.lostGpuSeconds(),
        (gpuSeconds - run.lostGpuSeconds()) / (gpuSeconds + waitedGpuSeconds),
        Mishap.failures(run.mishaps()),
        stopsMost,
        run.events());
  }

  /** Where the first value that such a share is below is among all, sorted. */
  private static int place(int size, double share) {
    return Math.min(size - 1, (int) (share * size));
  }
}
