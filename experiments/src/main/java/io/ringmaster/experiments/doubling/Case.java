package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.ValidatedRun;
import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;

/** A strategy in a cell. */
record Case(Cell cell, Strategy strategy) {
  private static final double SECONDS_PER_HOUR = 3600;

  /** Mean time from submission to completion on one draw. Every schedule is validated. */
  double completionHours(long seed) {
    Draw draw = new Draw(seed, cell);
    int workers = strategy.rigidWorkers();
    Jobs jobs = workers > 0 ? draw.rigid(workers) : draw.elastic();
    return completionHours(
        jobs,
        ValidatedRun.of(
            cell.cluster(),
            jobs,
            strategy.policy(),
            strategy.given(),
            seed,
            Double.POSITIVE_INFINITY));
  }

  static double completionHours(Jobs jobs, RunResult result) {
    double sum = 0;
    for (int job = 0; job < jobs.size(); job++) {
      sum += result.finishSeconds(job) - jobs.submitSeconds(job);
    }
    return sum / jobs.size() / SECONDS_PER_HOUR;
  }
}
