package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Completion;
import io.ringmaster.experiments.Variants;
import io.ringmaster.model.Jobs;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunResult;

/** A strategy in a setting. */
public record DoublingCell(DoublingSetting setting, Strategy strategy) {
  private static final double SECONDS_PER_HOUR = 3600;

  /** Mean time from submission to completion on one draw. Every schedule is validated. */
  public double completionHours(long seed) {
    DoublingWorkload draw = new DoublingWorkload(seed, setting);
    int workers = strategy.rigidWorkers();
    Jobs jobs = workers > 0 ? draw.rigid(workers) : draw.elastic();
    return completionHours(
        jobs,
        ValidatedRun.of(
            setting.cluster(),
            jobs,
            Variants.run(strategy.policy(), strategy.given(), seed),
            Double.POSITIVE_INFINITY));
  }

  /** No schedule has a smaller mean on one draw. */
  public static double boundHours(DoublingSetting setting, long seed) {
    Jobs jobs = new DoublingWorkload(seed, setting).elastic();
    return LowerBounds.of(jobs, setting.cluster()).meanJctSeconds() / SECONDS_PER_HOUR;
  }

  static double completionHours(Jobs jobs, RunResult result) {
    return Completion.meanSeconds(jobs, result) / SECONDS_PER_HOUR;
  }
}
