package io.ringmaster.bench;

import java.util.Arrays;

/**
 * What a value measured several times comes to, and between what its true middle is with 95 percent
 * certainty on either side.
 *
 * <p>Nothing is assumed of the noise but that equal runs have one: half of all values are below the
 * true middle. So of 5 values all are above it once in 32 times, and the least of them is the lower
 * end. Below 5 values nothing is certain.
 *
 * @param low 0 if nothing is certain
 * @param high infinity if nothing is certain
 */
record Spread(double middle, double low, double high) {
  /** The fewest values that make anything certain. */
  static final int FEWEST = 5;

  private static final double UNCERTAIN = 0.05;

  static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int outside = outside(sorted.length);
    return outside == 0
        ? new Spread(middle(sorted), 0, Double.POSITIVE_INFINITY)
        : new Spread(middle(sorted), sorted[outside - 1], sorted[sorted.length - outside]);
  }

  /** Of pairs that were measured side by side: the ratio of the middles. */
  static Spread ratio(double[] over, double[] under) {
    double[] ratios = new double[over.length];
    Arrays.setAll(ratios, i -> over[i] / under[i]);
    Spread pairs = of(ratios);
    double middle = of(over).middle / of(under).middle;
    return new Spread(middle, Math.min(middle, pairs.low), Math.max(middle, pairs.high));
  }

  private static double middle(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Which of so many values, from either end, is beyond the middle with certainty; 0: none. */
  private static int outside(int values) {
    double chance = 0;
    double ways = Math.pow(0.5, values);
    int count = 0;
    while (chance + ways <= UNCERTAIN) {
      chance += ways;
      ways = ways * (values - count) / (count + 1);
      count++;
    }
    return count;
  }
}
