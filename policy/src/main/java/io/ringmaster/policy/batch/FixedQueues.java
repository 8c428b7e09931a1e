package io.ringmaster.policy.batch;

import io.ringmaster.model.collect.IntList;

/**
 * Jobs whose GPUs were fixed beforehand: each GPU serves its jobs in order, and a job starts once
 * it is the next on all of its GPUs.
 */
final class FixedQueues {
  private final int[][] gpusOf;
  private final int[][] queueOf;
  private final int[] at;
  private final int[] heads;

  /**
   * Builds the queues.
   *
   * @param order jobs in the order of service
   * @param gpusOf the GPUs of each job
   */
  FixedQueues(int gpus, int[] order, int[][] gpusOf) {
    this.gpusOf = gpusOf;
    this.at = new int[gpus];
    this.heads = new int[gpusOf.length];
    int[] lengths = new int[gpus];
    for (int job : order) {
      for (int gpu : gpusOf[job]) {
        lengths[gpu]++;
      }
    }
    queueOf = new int[gpus][];
    for (int gpu = 0; gpu < gpus; gpu++) {
      queueOf[gpu] = new int[lengths[gpu]];
    }
    int[] filled = new int[gpus];
    for (int job : order) {
      for (int gpu : gpusOf[job]) {
        heads[job] += filled[gpu] == 0 ? 1 : 0;
        queueOf[gpu][filled[gpu]++] = job;
      }
    }
  }

  /** True if a job is the next on all of its GPUs. */
  boolean isReady(int job) {
    return heads[job] == gpusOf[job].length;
  }

  /** A job is done: those that it alone held up are added. */
  void end(int job, IntList ready) {
    for (int gpu : gpusOf[job]) {
      if (++at[gpu] < queueOf[gpu].length) {
        int next = queueOf[gpu][at[gpu]];
        heads[next]++;
        if (isReady(next)) {
          ready.add(next);
        }
      }
    }
  }
}
