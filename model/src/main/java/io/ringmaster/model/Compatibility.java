package io.ringmaster.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How well rings can take turns on a link: Rajasekaran, Ghobadi, Akella, "CASSINI: Network-Aware
 * Job Scheduling in Machine Learning Clusters", NSDI 2024 (arXiv 2308.00852). Traffic of a job is
 * rolled round a circle; those of a link go on one of the least common multiple of their periods,
 * and are turned against each other until the demand above what the link carries is least.
 *
 * <p>Departures: one ring after the other is turned, the longest exchange first, where the paper
 * solves an optimization. A circle has at most a few hundred steps, and periods are rounded to
 * steps; where the common multiple is longer than that, the circle is cut off.
 */
public final class Compatibility {
  private static final int STEPS_OF_SHORTEST = 24;
  private static final int MOST_STEPS = 480;

  private Compatibility() {}

  /** One less the mean demand above what the link carries: 1 for rings that need never meet. */
  public static double score(List<LinkRing> rings) {
    if (rings.size() < 2) {
      return 1;
    }
    double shortest = rings.stream().mapToDouble(LinkRing::periodSeconds).min().orElseThrow();
    double step = shortest / STEPS_OF_SHORTEST;
    int[] periods = rings.stream().mapToInt(ring -> steps(ring, step)).toArray();
    double[] demand = new double[circle(periods)];
    Integer[] order = new Integer[periods.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        Comparator.<Integer>comparingDouble(i -> -rings.get(i).load()).thenComparing(i -> i));
    for (int i : order) {
      LinkRing ring = rings.get(i);
      double[] traffic = traffic(ring, periods[i], demand.length);
      add(traffic, best(traffic, Math.min(periods[i], demand.length), demand), demand);
    }
    double above = 0;
    for (double there : demand) {
      above += Math.max(0, there - 1);
    }
    return 1 - above / demand.length;
  }

  private static int steps(LinkRing ring, double step) {
    return (int) Math.min(MOST_STEPS, Math.round(ring.periodSeconds() / step));
  }

  private static int circle(int[] periods) {
    long circle = 1;
    for (int period : periods) {
      long common = circle / gcd(circle, period) * period;
      circle = Math.min(MOST_STEPS, common);
    }
    return (int) circle;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** What a ring sends at each step, as a share of what the link carries. */
  private static double[] traffic(LinkRing ring, int period, int length) {
    double[] traffic = new double[length];
    double steps = ring.exchangeSeconds() / ring.periodSeconds() * period;
    for (int at = 0; at < length; at++) {
      traffic[at] = Math.max(0, Math.min(1, steps - at % period)) / ring.width();
    }
    return traffic;
  }

  private static int best(double[] traffic, int shifts, double[] demand) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int shift = 0; shift < shifts; shift++) {
      double above = 0;
      for (int at = 0; at < demand.length; at++) {
        above += Math.max(0, demand[at] + traffic[(at + shift) % demand.length] - 1);
      }
      // Not for the sake of rounding.
      if (above < least - 1e-9) {
        least = above;
        best = shift;
      }
    }
    return best;
  }

  private static void add(double[] traffic, int shift, double[] demand) {
    for (int at = 0; at < demand.length; at++) {
      demand[at] += traffic[(at + shift) % demand.length];
    }
  }
}
