package io.ringmaster.policy.gadget;

import java.util.Arrays;

/**
 * Cheapest ways to part workers among things that are added one by one: the servers of a class, or
 * racks. A min-plus convolution that remembers its choices.
 */
final class Combination {

  /** Hears who takes how many workers. */
  @FunctionalInterface
  interface Taker {
    /**
     * Hears of one part.
     *
     * @param alone whether the whole ring is there
     */
    void take(int thing, int workers, boolean alone);
  }

  private final double[] any;
  private final double[] ring;
  private final int[][] anyTakes;
  private final int[][] ringTakes;
  private int things;

  Combination(int mostThings, int mostWorkers) {
    any = new double[mostWorkers + 1];
    ring = new double[mostWorkers + 1];
    anyTakes = new int[mostThings][mostWorkers + 1];
    ringTakes = new int[mostThings][mostWorkers + 1];
  }

  void clear() {
    things = 0;
    Arrays.fill(any, Double.POSITIVE_INFINITY);
    Arrays.fill(ring, Double.POSITIVE_INFINITY);
    any[0] = 0;
  }

  /** Costs of each number of workers, as parts of a ring that may go on elsewhere. */
  double[] any() {
    return any;
  }

  /** Costs of each number of workers in a ring over several servers that ends here. */
  double[] ring() {
    return ring;
  }

  /**
   * Adds a thing; returns whether that made anything cheaper. If not, another like it will not.
   *
   * @param part cost of each number of workers there if the ring goes on
   * @param alone cost of each number of workers if the whole ring is there, on several servers; not
   *     less than the part of it that is counted inside
   */
  boolean add(double[] part, double[] alone) {
    int[] anyTake = anyTakes[things];
    int[] ringTake = ringTakes[things];
    things++;
    boolean cheaper = false;
    // Downwards, so that fewer workers still stand for the things before this one.
    for (int k = any.length - 1; k >= 1; k--) {
      anyTake[k] = 0;
      ringTake[k] = 0;
      if (alone[k] < ring[k]) {
        ring[k] = alone[k];
        ringTake[k] = k;
      }
      double least = Double.POSITIVE_INFINITY;
      int take = 0;
      for (int j = 1; j < k; j++) {
        double cost = any[k - j] + part[j];
        if (cost < least) {
          least = cost;
          take = j;
        }
      }
      if (least < ring[k]) {
        ring[k] = least;
        ringTake[k] = take;
      }
      if (part[k] < least) {
        least = part[k];
        take = k;
      }
      if (least < any[k]) {
        any[k] = least;
        anyTake[k] = take;
      }
      cheaper |= anyTake[k] > 0 || ringTake[k] > 0;
    }
    return cheaper;
  }

  /** Tells how so many workers are parted at the cost {@link #any}. */
  void tellAny(int workers, Taker taker) {
    tellAny(things - 1, workers, taker);
  }

  private void tellAny(int last, int workers, Taker taker) {
    int left = workers;
    for (int i = last; i >= 0; i--) {
      int take = anyTakes[i][left];
      if (take > 0) {
        taker.take(i, take, false);
        left -= take;
      }
    }
  }

  /** Tells how a ring of so many workers is parted at the cost {@link #ring}. */
  void tellRing(int workers, Taker taker) {
    int i = things - 1;
    while (ringTakes[i][workers] == 0) {
      i--;
    }
    int take = ringTakes[i][workers];
    taker.take(i, take, take == workers);
    tellAny(i - 1, workers - take, taker);
  }
}
