package io.ringmaster.policy.doubling;

import io.ringmaster.policy.View;

/**
 * The numbers of workers that a job may have: the powers of two in its range, or the number that it
 * asks for if there is none.
 */
record Sizes(int least, int most) {

  /**
   * The sizes of a job.
   *
   * @param room the most workers of the job that the cluster holds
   */
  static Sizes of(View view, int job, int room) {
    int highest = Integer.highestOneBit(Math.min(view.maxGpus(job), room));
    int lowest = 1 << (32 - Integer.numberOfLeadingZeros(view.minGpus(job) - 1));
    return lowest <= highest
        ? new Sizes(lowest, highest)
        : new Sizes(view.gpus(job), view.gpus(job));
  }

  int next(int workers) {
    return workers < most ? 2 * workers : workers;
  }

  boolean several() {
    return least < most;
  }
}
