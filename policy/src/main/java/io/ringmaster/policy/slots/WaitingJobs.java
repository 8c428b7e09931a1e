package io.ringmaster.policy.slots;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.View;
import io.ringmaster.policy.queue.SizeQueues;

/**
 * Jobs that wait, in an order, to be gone through until nothing that is free holds any of them. One
 * queue for each least number of workers and what they take beside GPUs: of a size that found no
 * room no other job is looked at.
 */
public final class WaitingJobs {
  private final SizeQueues queues = SizeQueues.ascending();

  /** Handed out in this pass, and where they stood. */
  private final IntList handedOut = new IntList();

  private double[] keys = new double[0];
  private int[] leasts = new int[0];

  /**
   * A job waits, or stands elsewhere in the order.
   *
   * @param least its least number of workers; the same as long as it waits
   * @param key the lesser goes first, and of equals the one that came first
   */
  public void put(View view, int job, int least, double key) {
    queues.put(job, least, view.demand(job), key);
  }

  /** A job does not wait any more, if it did. */
  public void remove(View view, int job, int least) {
    queues.remove(job, least, view.demand(job));
  }

  /** Whether no job waits. Not to be asked between {@link #open} and {@link #close}. */
  public boolean isEmpty() {
    return queues.isEmpty();
  }

  /** Begins with the first job. Those handed out before that still wait are there again. */
  public void open(View view) {
    close(view);
    queues.openPass();
  }

  /**
   * Hands out the next job; -1 if there is none.
   *
   * @param mostWorkers jobs whose least number is greater are left out
   */
  public int next(int mostWorkers) {
    int size = queues.first(mostWorkers);
    if (size < 0) {
      return -1;
    }
    int at = handedOut.size();
    keys = Grow.ensure(keys, at + 1);
    leasts = Grow.ensure(leasts, at + 1);
    keys[at] = queues.of(size).peekKey();
    leasts[at] = queues.gpus(size);
    int job = queues.poll(size);
    handedOut.add(job);
    return job;
  }

  /**
   * There is no room for so many workers of such jobs, and so for no more of them, in this pass.
   */
  public void refuse(int workers, Demand demand) {
    queues.refuse(workers, demand);
  }

  /** Jobs that were handed out and still wait go back to where they stood. */
  public void close(View view) {
    for (int i = 0; i < handedOut.size(); i++) {
      int job = handedOut.get(i);
      if (view.waiting(job)) {
        queues.put(job, leasts[i], view.demand(job), keys[i]);
      }
    }
    handedOut.clear();
  }
}
