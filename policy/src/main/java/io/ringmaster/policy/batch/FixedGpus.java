package io.ringmaster.policy.batch;

/**
 * Jobs whose GPUs were fixed beforehand: a job starts once all of its GPUs are idle, and of those
 * that could, the first in order.
 */
final class FixedGpus {
  private final int[] order;
  private final int[][] gpusOf;
  private final int[][] jobsOf;
  private final int[] busyGpus;
  private final boolean[] pending;

  /**
   * Before anything runs.
   *
   * @param order all jobs
   * @param gpusOf the GPUs of each job
   */
  FixedGpus(int gpus, int[] order, int[][] gpusOf) {
    this.order = order;
    this.gpusOf = gpusOf;
    this.busyGpus = new int[gpusOf.length];
    this.pending = new boolean[gpusOf.length];
    int[] counts = new int[gpus];
    for (int job : order) {
      pending[job] = true;
      for (int gpu : gpusOf[job]) {
        counts[gpu]++;
      }
    }
    jobsOf = new int[gpus][];
    for (int gpu = 0; gpu < gpus; gpu++) {
      jobsOf[gpu] = new int[counts[gpu]];
    }
    for (int job : order) {
      for (int gpu : gpusOf[job]) {
        jobsOf[gpu][--counts[gpu]] = job;
      }
    }
  }

  /** The first job that can start, or -1. */
  int next() {
    for (int job : order) {
      if (pending[job] && busyGpus[job] == 0) {
        return job;
      }
    }
    return -1;
  }

  void start(int job) {
    pending[job] = false;
    count(job, 1);
  }

  void end(int job) {
    count(job, -1);
  }

  private void count(int job, int by) {
    for (int gpu : gpusOf[job]) {
      for (int other : jobsOf[gpu]) {
        busyGpus[other] += by;
      }
    }
  }
}
