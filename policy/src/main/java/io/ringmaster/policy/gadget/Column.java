package io.ringmaster.policy.gadget;

import java.util.stream.IntStream;

/** A job with so many workers at some place, and the shares of resources that it uses there. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Column(int job, int workers, double profit, int[] resources, double[] shares) {
  /** With a share of each resource, most of them 0. */
  static Column of(int job, int workers, double profit, double[] usage) {
    int[] resources = IntStream.range(0, usage.length).filter(r -> usage[r] > 0).toArray();
    double[] shares = IntStream.of(resources).mapToDouble(r -> usage[r]).toArray();
    return new Column(job, workers, profit, resources, shares);
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
