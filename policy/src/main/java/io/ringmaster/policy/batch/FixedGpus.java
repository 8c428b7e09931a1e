package io.ringmaster.policy.batch;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.placement.Gpus;

/**
 * Jobs whose GPUs were fixed beforehand: a job starts once all of its GPUs are idle and what else
 * it takes is free, and of those that could, the first in order.
 */
final class FixedGpus {
  private final int[] order;
  private final int[][] gpusOf;
  private final int[][] jobsOf;
  private final int[] busyGpus;
  private final boolean[] pending;
  private final Gpus all;
  private final Demand[] demands;
  private final boolean limitsMore;
  private final ScratchServers free;

  /**
   * Before anything runs.
   *
   * @param all the GPUs; only their number and their servers matter
   * @param order all jobs
   * @param gpusOf the GPUs of each job
   * @param demands what each takes beside GPUs
   */
  FixedGpus(Cluster cluster, Gpus all, int[] order, int[][] gpusOf, Demand[] demands) {
    int gpus = all.size();
    this.all = all;
    this.demands = demands;
    this.free = new ScratchServers(cluster);
    this.limitsMore = cluster.limitsMoreThanGpus();
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
      if (pending[job] && busyGpus[job] == 0 && fits(job)) {
        return job;
      }
    }
    return -1;
  }

  private boolean fits(int job) {
    return !limitsMore || free.holds(all.placement(gpusOf[job]), demands[job]);
  }

  void start(int job) {
    pending[job] = false;
    count(job, 1);
    if (limitsMore) {
      free.take(all.placement(gpusOf[job]), demands[job]);
    }
  }

  void end(int job) {
    count(job, -1);
    if (limitsMore) {
      free.release(all.placement(gpusOf[job]), demands[job]);
    }
  }

  private void count(int job, int by) {
    for (int gpu : gpusOf[job]) {
      for (int other : jobsOf[gpu]) {
        busyGpus[other] += by;
      }
    }
  }
}
