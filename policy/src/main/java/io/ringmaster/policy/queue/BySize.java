package io.ringmaster.policy.queue;

import io.ringmaster.model.Demand;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * One queue for each number of GPUs and what workers take beside them. Workloads have few of these,
 * and if the first job of one does not fit, no other of it does, nor any that takes as much or more
 * of everything. Where GPUs alone count there is one queue for each size.
 */
public final class BySize<Q> {
  private final Supplier<Q> opens;
  private int[] gpus = new int[0];
  private Demand[] demands = new Demand[0];
  private Q[] queues;
  private boolean[] refused = new boolean[0];
  private boolean anyRefused;

  /** All classes with so many GPUs or more are refused, whatever else their jobs take. */
  private int refusedFrom = Integer.MAX_VALUE;

  /** Without any queue; they open as jobs ask for them. */
  @SuppressWarnings("unchecked") // Nothing but queues is ever put in, and nobody else sees it.
  public BySize(Supplier<Q> opens) {
    this.opens = opens;
    this.queues = (Q[]) new Object[0];
  }

  /** How many have been seen. They are in ascending order of GPUs. */
  public int classes() {
    return gpus.length;
  }

  public int gpus(int sizeClass) {
    return gpus[sizeClass];
  }

  public Demand demand(int sizeClass) {
    return demands[sizeClass];
  }

  public Q queue(int sizeClass) {
    return queues[sizeClass];
  }

  /** The queue of such jobs. */
  public Q queue(int jobGpus, Demand demand) {
    int at = Arrays.binarySearch(gpus, jobGpus);
    if (at >= 0) {
      while (at > 0 && gpus[at - 1] == jobGpus) {
        at--;
      }
      for (; at < gpus.length && gpus[at] == jobGpus; at++) {
        if (demands[at].equals(demand)) {
          return queues[at];
        }
      }
    } else {
      at = -at - 1;
    }
    int behind = gpus.length - at;
    gpus = Arrays.copyOf(gpus, gpus.length + 1);
    demands = Arrays.copyOf(demands, gpus.length);
    queues = Arrays.copyOf(queues, gpus.length);
    refused = Arrays.copyOf(refused, gpus.length);
    System.arraycopy(gpus, at, gpus, at + 1, behind);
    System.arraycopy(demands, at, demands, at + 1, behind);
    System.arraycopy(queues, at, queues, at + 1, behind);
    System.arraycopy(refused, at, refused, at + 1, behind);
    gpus[at] = jobGpus;
    demands[at] = demand;
    queues[at] = opens.get();
    refused[at] = false;
    return queues[at];
  }

  /** Begins a pass: no job was refused yet. */
  public void openPass() {
    refusedFrom = Integer.MAX_VALUE;
    if (anyRefused) {
      Arrays.fill(refused, false);
      anyRefused = false;
    }
  }

  /**
   * Such a job does not fit in this pass, and none does that takes as much of everything, up to a
   * number of GPUs.
   */
  public void refuse(int jobGpus, Demand demand, int mostGpus) {
    if (mostGpus == Integer.MAX_VALUE && demand.isNone()) {
      refusedFrom = Math.min(refusedFrom, jobGpus);
      return;
    }
    anyRefused = true;
    for (int c = gpus.length - 1; c >= 0 && gpus[c] >= jobGpus; c--) {
      refused[c] |= gpus[c] <= mostGpus && demands[c].covers(demand);
    }
  }

  /** The most GPUs of a class that may not be refused yet. */
  int mostOpenGpus() {
    return refusedFrom - 1;
  }

  /** Whether jobs of a class cannot start in this pass. */
  public boolean refused(int sizeClass) {
    return gpus[sizeClass] >= refusedFrom || refused[sizeClass];
  }
}
