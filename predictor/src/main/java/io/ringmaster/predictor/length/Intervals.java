package io.ringmaster.predictor.length;

/**
 * Intervals that hold a share of all lengths, from samples of what a length may be. The quantiles
 * of a sample are too close to each other if leaves are small, and past lengths say little of days
 * that are unlike them. So the ends are moved apart, or together, by as much as the last lengths
 * would have needed for the share: conformalized quantile regression (Romano, Patterson, Candes,
 * NeurIPS 2019), over the jobs that ended last.
 */
final class Intervals {
  private static final int WINDOW = 1000;

  /** With fewer nothing is moved. */
  private static final int LEAST = 50;

  private final double share;

  /** How far beyond the interval lengths were; below 0 for those inside. */
  private final RecentValues beyond = new RecentValues(WINDOW);

  Intervals(double share) {
    this.share = share;
  }

  /** A place in a sample of so many in rising order, for the lower end. */
  private int first(int count) {
    return (int) Math.floor((1 - share) / 2 * (count - 1));
  }

  /** The lower end before it is moved. */
  double low(double[] sample) {
    return sample[first(sample.length)];
  }

  /** The higher end before it is moved. */
  double high(double[] sample) {
    return sample[sample.length - 1 - first(sample.length)];
  }

  /** How far to move both ends outwards now. */
  double margin() {
    int count = beyond.count();
    return count < LEAST ? 0 : beyond.ranked((int) Math.ceil((count + 1) * share));
  }

  /** A job has ended for which the quantiles were these. */
  void learn(double low, double high, double log) {
    beyond.add(Math.max(low - log, log - high));
  }
}
