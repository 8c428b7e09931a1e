package io.ringmaster.workload;

/**
 * Random numbers for generators: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom
 * Number Generators", OOPSLA 2014).
 *
 * <p>Written out here, and all on {@link StrictMath}, so that a seed gives the same workload with
 * every JDK on every machine. Each purpose has a stream of its own: drawing more of one thing then
 * leaves the others as they were.
 */
public final class Draws {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;

  public Draws(long seed, int stream) {
    state = mix(mix(seed) + (stream + 1) * GOLDEN);
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Any double from 0 on, below 1, in steps of 2^-53. */
  public double uniform() {
    state += GOLDEN;
    return (mix(state) >>> 11) * 0x1p-53;
  }

  /** A whole number from 0 on, below a limit. */
  public int below(int limit) {
    return (int) (uniform() * limit);
  }

  /** An index, drawn by weights that are summed up and end with their total. */
  int index(double[] cumulative) {
    double at = uniform() * cumulative[cumulative.length - 1];
    int low = 0;
    int high = cumulative.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulative[middle] > at) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** A draw of the normal distribution with mean 0 and deviation 1, by Marsaglia's polar method. */
  public double normal() {
    double x;
    double square;
    do {
      x = 2 * uniform() - 1;
      double y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
  }

  static double[] cumulative(double[] weights) {
    double[] sums = weights.clone();
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
    return sums;
  }
}
