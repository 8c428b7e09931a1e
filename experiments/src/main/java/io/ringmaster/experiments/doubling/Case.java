package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Completion;
import io.ringmaster.model.Jobs;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunResult;

/** A strategy in a cell. */
public record Case(Cell cell, Strategy strategy) {
  private static final double SECONDS_PER_HOUR = 3600;

  /** Mean time from submission to completion on one draw. Every schedule is validated. */
  public double completionHours(long seed) {
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

  /** No schedule has a smaller mean on one draw. */
  public static double boundHours(Cell cell, long seed) {
    Jobs jobs = new Draw(seed, cell).elastic();
    return LowerBounds.of(jobs, cell.cluster()).meanJctSeconds() / SECONDS_PER_HOUR;
  }

  static double completionHours(Jobs jobs, RunResult result) {
    return Completion.meanSeconds(jobs, result) / SECONDS_PER_HOUR;
  }
}
