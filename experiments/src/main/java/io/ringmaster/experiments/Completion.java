package io.ringmaster.experiments;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;

/** How long jobs took from submission to their end. */
public final class Completion {
  private Completion() {}

  /** The mean over all jobs; all must have ended. */
  public static double meanSeconds(Jobs jobs, RunResult result) {
    double sum = 0;
    for (int job = 0; job < jobs.size(); job++) {
      sum += result.finishSeconds(job) - jobs.submitSeconds(job);
    }
    return sum / jobs.size();
  }
}
