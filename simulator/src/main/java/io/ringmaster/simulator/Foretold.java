package io.ringmaster.simulator;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.Executor;

/**
 * What could be foretold of each job when it came, if jobs ended when they are said to have ended:
 * for many runs of the same jobs, which would else each grow forests of their own.
 */
public final class Foretold {
  private Foretold() {}

  /**
   * Lengths in ideal seconds, by job.
   *
   * @param endSeconds by job; of a job that is NaN nothing is learned
   * @param executor grows trees; the result does not depend on it
   */
  public static double[] seconds(
      Jobs jobs, Lengths lengths, double[] endSeconds, long seed, Executor executor) {
    PredictedLengths predicted =
        new PredictedLengths(jobs, lengths, Estimates.UNKNOWN_SECONDS, seed, executor);
    double[] ends = new double[jobs.size()];
    // No job is over before it came, whatever a history says.
    Arrays.setAll(ends, job -> Math.max(endSeconds[job], jobs.submitSeconds(job)));
    int[] byEnd = Sorted.by(Comparator.comparingDouble(job -> ends[job]), jobs.size());
    double[] foretold = new double[jobs.size()];
    int ended = 0;
    for (int job = 0; job < jobs.size(); job++) {
      double now = jobs.submitSeconds(job);
      // NaN comes last, and ends nowhere.
      while (ended < byEnd.length && byEnd[ended] < job && ends[byEnd[ended]] <= now) {
        predicted.end(byEnd[ended], ends[byEnd[ended]]);
        ended++;
      }
      foretold[job] = predicted.arrive(job, now);
    }
    return foretold;
  }
}
