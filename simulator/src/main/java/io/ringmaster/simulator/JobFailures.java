package io.ringmaster.simulator;

import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Slots;
import io.ringmaster.model.collect.LazyHeap;

/**
 * When jobs fail by themselves: after an exponential number of GPU-seconds, which depends on the
 * seed and on the job alone.
 */
final class JobFailures {
  /** Apart from the random numbers of estimates. */
  private static final long OWN_SEEDS = 0x6a6f62206661696cL;

  private final JobChance chance;
  private final Slots slots;
  private final double perGpuSecond;
  private final double[] failsAtGpuSeconds;
  private final int[] failures;
  private final LazyHeap due = new LazyHeap();

  JobFailures(Jobs jobs, Slots slots, double perThousandGpuDays, long seed) {
    this.chance = new JobChance(jobs, seed ^ OWN_SEEDS);
    this.slots = slots;
    this.perGpuSecond = Failures.perSecond(perThousandGpuDays);
    int room = perGpuSecond > 0 ? jobs.size() : 0;
    this.failsAtGpuSeconds = new double[room];
    this.failures = new int[room];
    for (int job = 0; job < room; job++) {
      failsAtGpuSeconds[job] = draw(job);
    }
  }

  private double draw(int job) {
    return -StrictMath.log(chance.uniform(job, failures[job])) / perGpuSecond;
  }

  /** When a job fails next if nothing changes; infinity if none does. */
  double nextSeconds() {
    return due.isEmpty() ? Double.POSITIVE_INFINITY : due.peekKey();
  }

  /** The job that fails then. It does not again before it has started. */
  int poll() {
    int job = due.poll();
    failures[job]++;
    failsAtGpuSeconds[job] += draw(job);
    return job;
  }

  /** A job starts with so many workers, and has held so many GPU-seconds before. */
  void started(int job, int workers, double heldGpuSeconds, double nowSeconds) {
    if (perGpuSecond > 0) {
      double left = Math.max(0, failsAtGpuSeconds[job] - heldGpuSeconds);
      due.put(job, slots.atOrAfter(nowSeconds + left / workers));
    }
  }

  void stopped(int job) {
    if (perGpuSecond > 0) {
      due.remove(job);
    }
  }
}
