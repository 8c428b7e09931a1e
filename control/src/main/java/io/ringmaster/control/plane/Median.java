package io.ringmaster.control.plane;

import java.util.Collection;

/** The value in the middle, of two the mean of both. */
final class Median {
  private Median() {}

  /** NaN of none. */
  static double of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
