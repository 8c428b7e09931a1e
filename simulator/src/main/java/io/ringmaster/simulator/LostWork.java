package io.ringmaster.simulator;

import io.ringmaster.model.Jobs;

/**
 * GPU-seconds of work that jobs did and lost again when they were stopped. A job's work is taken to
 * be spread evenly over the GPU-seconds of the segment in which it was done.
 */
final class LostWork {
  private final Jobs jobs;
  private final double[] doneSeconds;
  private final double[] usefulGpuSeconds;

  /** Stops in a row that left a job no further than it was. */
  private final int[] inVain;

  LostWork(Jobs jobs) {
    this.jobs = jobs;
    doneSeconds = new double[jobs.size()];
    usefulGpuSeconds = new double[jobs.size()];
    inVain = new int[jobs.size()];
  }

  /** How often in a row a job was stopped that did not get any further. */
  int inVain(int job) {
    return inVain[job];
  }

  /** Ideal seconds of work that a job had when it last stopped. */
  double done(int job) {
    return doneSeconds[job];
  }

  /**
   * A segment of a job ends.
   *
   * @param gpuSeconds in which it got further
   * @param nowDone ideal seconds that it has done by now
   * @param kept of these, those that are left
   * @return GPU-seconds of the work that is not, and those in which the rest was saved
   */
  double stop(int job, double gpuSeconds, double nowDone, double kept) {
    double inSegment = nowDone - doneSeconds[job];
    double lost = nowDone - kept;
    double lostGpuSeconds = 0;
    double ofThis = 0;
    if (lost > 0) {
      double ofSegment = Math.min(lost, inSegment);
      ofThis = ofSegment > 0 ? gpuSeconds * (ofSegment / inSegment) : 0;
      lostGpuSeconds = ofThis;
      if (lost > inSegment) {
        double share = Math.min(1, (lost - inSegment) / doneSeconds[job]);
        lostGpuSeconds += usefulGpuSeconds[job] * share;
      }
    }
    inVain[job] = kept > doneSeconds[job] ? 0 : inVain[job] + 1;
    doneSeconds[job] = kept;
    double saving = jobs.savingShare(job) * (gpuSeconds - ofThis);
    usefulGpuSeconds[job] += gpuSeconds - saving - lostGpuSeconds;
    return saving + lostGpuSeconds;
  }
}
