package io.ringmaster.experiments.adasrsf;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IndexedHeap;

/**
 * The all-reduces under way. Each goes at the speed of the busiest of its nodes. When that changes,
 * what is left goes on at the new speed.
 */
final class Transfers {
  private final LinkCost cost;
  private final IndexedHeap events;
  private final int firstEvent;
  private final int[][] jobsOn;
  private final int[] count;
  private final int[][] nodes;

  /** Megabytes left at {@link #since}, and how many share the busiest node from then on. */
  private final double[] left;

  private final double[] since;
  private final int[] sharing;

  /**
   * None under way.
   *
   * @param events where the end of a job's transfer is put, under the number of the job after
   * @param firstEvent this
   */
  Transfers(LinkCost cost, int nodes, int jobs, IndexedHeap events, int firstEvent) {
    this.cost = cost;
    this.events = events;
    this.firstEvent = firstEvent;
    this.jobsOn = new int[nodes][0];
    this.count = new int[nodes];
    this.nodes = new int[jobs][];
    this.left = new double[jobs];
    this.since = new double[jobs];
    this.sharing = new int[jobs];
  }

  void start(int job, int[] onNodes, double megabytes, double now) {
    nodes[job] = onNodes;
    left[job] = megabytes;
    since[job] = now;
    sharing[job] = 0;
    for (int node : onNodes) {
      jobsOn[node] = Grow.ensure(jobsOn[node], count[node] + 1);
      jobsOn[node][count[node]++] = job;
    }
    rerate(onNodes, now);
  }

  void end(int job, double now) {
    for (int node : nodes[job]) {
      int at = 0;
      while (jobsOn[node][at] != job) {
        at++;
      }
      jobsOn[node][at] = jobsOn[node][--count[node]];
    }
    rerate(nodes[job], now);
  }

  private void rerate(int[] changed, double now) {
    for (int node : changed) {
      for (int i = 0; i < count[node]; i++) {
        int job = jobsOn[node][i];
        int most = most(nodes[job]);
        if (most != sharing[job]) {
          left[job] = left(job, now);
          since[job] = now;
          sharing[job] = most;
          events.put(firstEvent + job, now + left[job] * cost.millis(most));
        }
      }
    }
  }

  private double left(int job, double now) {
    return sharing[job] == 0
        ? left[job]
        : Math.max(0, left[job] - (now - since[job]) / cost.millis(sharing[job]));
  }

  /** Transfers on the busiest of some nodes. */
  int most(int[] some) {
    int most = 0;
    for (int node : some) {
      most = Math.max(most, count[node]);
    }
    return most;
  }

  /** Megabytes left of the transfer on any of some nodes that has the least; infinite if none. */
  double leastLeft(int[] some, double now) {
    double least = Double.POSITIVE_INFINITY;
    for (int node : some) {
      for (int i = 0; i < count[node]; i++) {
        least = Math.min(least, left(jobsOn[node][i], now));
      }
    }
    return least;
  }
}
