package io.ringmaster.model;

import java.util.Locale;

/**
 * How workers sum their gradients. What counts is how the time grows with their number: in steps,
 * each with its latency, and in the part of the gradient that each worker sends and receives.
 * Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH",
 * IJHPCA 19(1), 2005, in units of a ring's: two latencies a step, and twice the gradient.
 */
public enum AllReduce {
  /** Around the ring once to sum, once to spread: w - 1 steps, (w - 1) / w of the gradient. */
  RING {
    @Override
    public double steps(int workers) {
      return workers - 1;
    }

    @Override
    public double share(int workers) {
      return (workers - 1) / (double) workers;
    }
  },

  /**
   * Recursive halving and doubling: log2 w steps. Workers beyond a power of two hand all they have
   * to others first, and are told the sum at the end.
   */
  HALVING_DOUBLING {
    @Override
    public double steps(int workers) {
      return floorLog2(workers) + (isPowerOfTwo(workers) ? 0 : 1);
    }

    @Override
    public double share(int workers) {
      return RING.share(Integer.highestOneBit(workers)) + (isPowerOfTwo(workers) ? 0 : 1);
    }
  },

  /**
   * Halving and doubling in blocks of powers of two, which then exchange among themselves: 5/4 of a
   * step more, and 7/4 of the gradient, unless the workers are a power of two.
   */
  BINARY_BLOCKS {
    @Override
    public double steps(int workers) {
      return isPowerOfTwo(workers) ? floorLog2(workers) : floorLog2(workers) + 1 + 1.25;
    }

    @Override
    public double share(int workers) {
      return isPowerOfTwo(workers) ? RING.share(workers) : 1.75;
    }
  };

  /** Steps of an exchange; 0 for one worker. */
  public abstract double steps(int workers);

  /** Part of the gradient that a worker sends to sum it, and again to spread it. */
  public abstract double share(int workers);

  /** Its name in files and settings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean isPowerOfTwo(int number) {
    return Integer.bitCount(number) == 1;
  }

  private static int floorLog2(int number) {
    return 31 - Integer.numberOfLeadingZeros(number);
  }
}
