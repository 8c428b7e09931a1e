package io.ringmaster.bounds;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.LowerBounds;

/**
 * Relaxations for jobs that run with the GPUs they ask for. A job that leaves fewer than g GPUs to
 * others never runs beside one that asks for g or more. So, with smaller jobs left out, its
 * GPU-seconds count as if it had all GPUs. What remains are the relaxations of {@link LowerBounds},
 * once for each g: a dual feasible function of bin packing (Fekete and Schepers, Mathematical
 * Programming 91, 2001).
 */
final class WideJobs {
  private WideJobs() {}

  /** No schedule without resizing is below this. */
  static double leastSeconds(Objective objective, Instance instance) {
    Jobs jobs = instance.jobs();
    int total = instance.cluster().totalGpus();
    double[] fastest = new double[jobs.size()];
    boolean[] asked = new boolean[total + 1];
    for (int job = 0; job < fastest.length; job++) {
      fastest[job] = instance.fastestSeconds(job);
      asked[jobs.gpus(job)] = true;
    }
    double most = 0;
    double[] machine = new double[fastest.length];
    for (int g = 1; g <= total / 2; g++) {
      if (asked[g]) {
        for (int job = 0; job < machine.length; job++) {
          machine[job] = fastest[job] * counted(jobs.gpus(job), g, total) / total;
        }
        most = Math.max(most, objective.seconds(jobs, LowerBounds.of(jobs, fastest, machine)));
      }
    }
    return most;
  }

  private static int counted(int gpus, int g, int total) {
    if (gpus < g) {
      return 0;
    }
    return gpus > total - g ? total : gpus;
  }
}
