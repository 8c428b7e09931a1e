package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;

/** How each job of a run fared, in the figures that people ask for. */
record JobOutcomes(Jobs jobs, RunResult result) {
  int size() {
    return jobs.size();
  }

  double jct(int job) {
    return result.finishSeconds(job) - jobs.submitSeconds(job);
  }

  double wait(int job) {
    return Math.max(0, jct(job) - result.heldSeconds(job));
  }

  double run(int job) {
    return result.heldSeconds(job);
  }

  double gpuSeconds(int job) {
    return result.heldGpuSeconds(job);
  }

  double slowdown(int job) {
    return result.heldSeconds(job) / result.lengths().idealSeconds(job);
  }

  int restarts(int job) {
    return result.restarts(job);
  }
}
