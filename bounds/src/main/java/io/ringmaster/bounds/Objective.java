package io.ringmaster.bounds;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunResult;

/** What a schedule is to make small. */
public enum Objective {
  /** The last finish minus the first submission. */
  MAKESPAN,
  /** The sum over all jobs of finish minus submission. */
  TOTAL_COMPLETION;

  double seconds(Jobs jobs, RunResult run) {
    double last = 0;
    double total = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, run.finishSeconds(job) - jobs.submitSeconds(0));
      total += run.finishSeconds(job) - jobs.submitSeconds(job);
    }
    return this == MAKESPAN ? last : total;
  }

  /** What relaxations come to. */
  double seconds(Jobs jobs, LowerBounds bounds) {
    return this == MAKESPAN ? bounds.makespanSeconds() : bounds.meanJctSeconds() * jobs.size();
  }
}
