package io.ringmaster.policy.gadget;

import java.util.stream.IntStream;

/** A job with so many workers at some place, and the shares of resources that it uses there. */
final class Column {
  private final int job;
  private final int workers;
  private final double profit;
  private final int[] resources;
  private final double[] shares;

  /**
   * A column.
   *
   * @param usage share of each resource
   */
  Column(int job, int workers, double profit, double[] usage) {
    this.job = job;
    this.workers = workers;
    this.profit = profit;
    resources = IntStream.range(0, usage.length).filter(r -> usage[r] > 0).toArray();
    shares = IntStream.of(resources).mapToDouble(r -> usage[r]).toArray();
  }

  int job() {
    return job;
  }

  int workers() {
    return workers;
  }

  double profit() {
    return profit;
  }

  /** What its resources cost. */
  double cost(double[] prices) {
    double cost = 0;
    for (int i = 0; i < resources.length; i++) {
      cost += prices[resources[i]] * shares[i];
    }
    return cost;
  }

  /** Adds a multiple of its usage. */
  void addTo(double[] usage, double times) {
    for (int i = 0; i < resources.length; i++) {
      usage[resources[i]] += times * shares[i];
    }
  }

  /** Adds a multiple of a matrix times its usage. */
  void addProduct(double[][] matrix, double times, double[] sums) {
    for (int i = 0; i < sums.length; i++) {
      double sum = 0;
      for (int u = 0; u < resources.length; u++) {
        sum += matrix[i][resources[u]] * shares[u];
      }
      sums[i] += times * sum;
    }
  }
}
