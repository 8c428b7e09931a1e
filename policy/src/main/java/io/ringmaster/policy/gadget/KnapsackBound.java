package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What no plan of a slot can exceed, at the price of a look at each option. It forgets where
 * servers are: the cluster is one heap of GPUs, of which each job takes one of its numbers of
 * workers at the best profit that it may have there. Of this multiple-choice knapsack the linear
 * relaxation is solved: on the upper concave hull of each job's profits, steeper segments come
 * first, and the last is cut (Sinha and Zoltners, The multiple-choice knapsack problem, 1979).
 * Where CPUs or memory are counted on all servers, they make a knapsack each, and the least of the
 * bounds holds.
 */
public final class KnapsackBound {

  /**
   * A knapsack's relaxation.
   *
   * @param value no plan's profit exceeds it
   * @param price what one more unit of the resource would add
   */
  record Relaxation(double value, double price) {}

  private final double[] slopes;
  private final double[] widths;
  private int segments;

  private KnapsackBound(int options) {
    slopes = new double[options];
    widths = new double[options];
  }

  /** No plan's profit exceeds it. */
  public static double of(SlotProblem problem) {
    Cluster cluster = problem.cluster();
    double bound = ofGpus(problem).value();
    double cpus = counted(cluster, Server::cpus);
    if (cpus < Double.POSITIVE_INFINITY) {
      bound = Math.min(bound, relax(problem, cpus, Demand::cpus).value());
    }
    double memoryBytes = counted(cluster, Server::memoryBytes);
    if (memoryBytes < Double.POSITIVE_INFINITY) {
      bound = Math.min(bound, relax(problem, memoryBytes, Demand::memoryBytes).value());
    }
    return bound;
  }

  static Relaxation ofGpus(SlotProblem problem) {
    return relax(problem, problem.cluster().totalGpus(), demand -> 1);
  }

  private static double counted(Cluster cluster, ToDoubleFunction<Server> amount) {
    return cluster.servers().stream().mapToDouble(amount).sum() * LpRows.ROUNDING;
  }

  private static Relaxation relax(
      SlotProblem problem, double capacity, ToDoubleFunction<Demand> each) {
    List<SlotJob> jobs = problem.jobs();
    int options = 0;
    for (SlotJob job : jobs) {
      options += job.maxWorkers() - job.minWorkers() + 1;
    }
    KnapsackBound bound = new KnapsackBound(options);
    double free = 0;
    for (SlotJob job : jobs) {
      double perWorker = each.applyAsDouble(job.demand());
      if (perWorker > 0) {
        bound.addHull(job, perWorker, problem.cluster().totalGpus());
      } else {
        free += most(job);
      }
    }
    Relaxation filled = bound.fill(capacity);
    return new Relaxation(free + filled.value(), filled.price());
  }

  private static double most(SlotJob job) {
    double most = 0;
    for (int w = job.minWorkers(); w <= job.maxWorkers(); w++) {
      most = Math.max(most, job.most(w));
    }
    return most;
  }

  /** The rising part of the upper concave hull of (0, 0) and a job's (workers, profit). */
  private void addHull(SlotJob job, double perWorker, int mostWorkers) {
    int first = segments;
    double top = 0;
    for (int w = job.minWorkers(); w <= Math.min(job.maxWorkers(), mostWorkers); w++) {
      double profit = job.most(w);
      if (profit <= top) {
        continue;
      }
      double gain = profit - top;
      top = profit;
      double width = w * perWorker;
      for (int s = first; s < segments; s++) {
        width -= widths[s];
      }
      while (segments > first && gain * widths[segments - 1] >= gain(segments - 1) * width) {
        segments--;
        gain += gain(segments);
        width += widths[segments];
      }
      slopes[segments] = gain / width;
      widths[segments] = width;
      segments++;
    }
  }

  private double gain(int segment) {
    return slopes[segment] * widths[segment];
  }

  /**
   * Gives the capacity out by falling slope. The slope at which it runs out is found as a weighted
   * median is: a pivot parts the steeper from the rest, and only one side is looked at again.
   */
  private Relaxation fill(double capacity) {
    int from = 0;
    int to = segments;
    double left = capacity;
    double value = 0;
    while (from < to) {
      double pivot = slopes[(from + to) >>> 1];
      int steeper = part(from, to, pivot, true);
      double taken = sum(from, steeper, false);
      if (taken >= left) {
        to = steeper;
        continue;
      }
      int equal = part(steeper, to, pivot, false);
      double level = sum(steeper, equal, false);
      value += sum(from, steeper, true);
      left -= taken;
      if (level >= left) {
        return new Relaxation(value + left * pivot, pivot);
      }
      value += level * pivot;
      left -= level;
      from = equal;
    }
    return new Relaxation(value, 0);
  }

  /** Brings slopes above the pivot, or else equal to it, to the front; returns where they end. */
  private int part(int from, int to, double pivot, boolean above) {
    int end = from;
    for (int s = from; s < to; s++) {
      if (above ? slopes[s] > pivot : slopes[s] == pivot) {
        double slope = slopes[s];
        double width = widths[s];
        slopes[s] = slopes[end];
        widths[s] = widths[end];
        slopes[end] = slope;
        widths[end] = width;
        end++;
      }
    }
    return end;
  }

  private double sum(int from, int to, boolean gains) {
    double sum = 0;
    for (int s = from; s < to; s++) {
      sum += gains ? gain(s) : widths[s];
    }
    return sum;
  }
}
