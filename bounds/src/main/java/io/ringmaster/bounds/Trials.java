package io.ringmaster.bounds;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/** Schedules that are simulated, with all that the model of the cluster knows. */
final class Trials {
  /** Up to here a dozen lists are tried, up to the next number two. */
  private static final int FEW_JOBS = 3_000;

  private static final int MANY_JOBS = 100_000;

  private final Instance instance;
  private final Objective objective;
  private final Placer pack;
  private final Placer consolidate;
  private double bestSeconds = Double.POSITIVE_INFINITY;

  Trials(Instance instance, Objective objective) {
    this.instance = instance;
    this.objective = objective;
    this.pack = placer("pack");
    this.consolidate = placer("consolidate");
  }

  private Placer placer(String rule) {
    return Placer.of(
        Settings.of("bounds", List.of(Placer.PARAMETER), Map.of(Placer.PARAMETER.name(), rule)),
        instance.cluster());
  }

  /** What the best schedule came to so far. */
  double bestSeconds() {
    return bestSeconds;
  }

  /** Schedules by lists: first come, shortest, longest, widest, least and most work first. */
  void lists() {
    Jobs jobs = instance.jobs();
    if (jobs.size() > MANY_JOBS) {
      return;
    }
    IntToDoubleFunction seconds = instance::fastestSeconds;
    IntToDoubleFunction work = job -> seconds.applyAsDouble(job) * jobs.gpus(job);
    list(_ -> 0);
    list(seconds);
    if (jobs.size() <= FEW_JOBS) {
      list(job -> -seconds.applyAsDouble(job));
      list(job -> -jobs.gpus(job));
      list(work);
      list(job -> -work.applyAsDouble(job));
    }
  }

  private void list(IntToDoubleFunction key) {
    double[] keys = new double[instance.size()];
    for (int job = 0; job < keys.length; job++) {
      keys[job] = key.applyAsDouble(job);
    }
    run(new ListSchedule(keys, consolidate));
    run(new ListSchedule(keys, pack));
  }

  /** Carries a plan out as it stands, and once more with each job as early as it can be. */
  void plan(Plan plan) {
    run(new Planned(plan, true, pack));
    run(new Planned(plan, false, pack));
  }

  private void run(Policy policy) {
    RunResult run =
        new Simulation(
                instance.cluster(),
                instance.jobs(),
                instance.lengths(),
                "bounds",
                policy,
                new Estimate.Perfect(),
                1,
                RunObserver.NONE)
            .run();
    bestSeconds = Math.min(bestSeconds, objective.seconds(instance.jobs(), run));
  }
}
