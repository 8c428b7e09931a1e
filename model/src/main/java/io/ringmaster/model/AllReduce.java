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
  RING,

  /**
   * Recursive halving and doubling: log2 w steps. Workers beyond a power of two hand all they have
   * to others first, and are told the sum at the end.
   */
  HALVING_DOUBLING,

  /**
   * Halving and doubling in blocks of powers of two, which then exchange among themselves: 5/4 of a
   * step more, and 7/4 of the gradient, unless the workers are a power of two.
   */
  BINARY_BLOCKS;

  /** Steps of an exchange; 0 for one worker. */
  public double steps(int workers) {
    boolean even = Integer.bitCount(workers) == 1;
    int log2 = 31 - Integer.numberOfLeadingZeros(workers);
    return switch (this) {
      case RING -> workers - 1;
      case HALVING_DOUBLING -> log2 + (even ? 0 : 1);
      case BINARY_BLOCKS -> even ? log2 : log2 + 1 + 1.25;
    };
  }

  /** Part of the gradient that a worker sends to sum it, and again to spread it. */
  public double share(int workers) {
    int power = Integer.highestOneBit(workers);
    return switch (this) {
      case RING -> (workers - 1) / (double) workers;
      case HALVING_DOUBLING -> RING.share(power) + (power == workers ? 0 : 1);
      case BINARY_BLOCKS -> power == workers ? RING.share(workers) : 1.75;
    };
  }

  /** Its name in files and settings. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
