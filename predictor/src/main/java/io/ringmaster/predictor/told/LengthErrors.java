package io.ringmaster.predictor.told;

import java.util.Arrays;

/**
 * Counts how wrong lengths were told: for each job that is over, its true length over what was told
 * of it when it came. A job that was stopped for good, or is still there, says only that its length
 * is above what it has done: it is censored. Counted in bins of that ratio, apart for jobs that
 * were told as short and as long.
 *
 * <p>Safe for several threads.
 */
public final class LengthErrors {
  private final Counts counts = new Counts();
  private volatile int ended;

  /** Jobs by the bin that they came to: those that ended in it, and those that are censored. */
  static final class Counts {
    final int[][] ended = new int[Ratios.BUCKETS][Ratios.BINS];
    final int[][] censored = new int[Ratios.BUCKETS][Ratios.BINS];

    private void add(int[][] to, double toldSeconds, double seconds) {
      if (toldSeconds > 0) {
        to[Ratios.bucket(toldSeconds)][Ratios.bin(seconds / toldSeconds)]++;
      }
    }

    private Counts copy() {
      Counts copy = new Counts();
      for (int bucket = 0; bucket < Ratios.BUCKETS; bucket++) {
        copy.ended[bucket] = Arrays.copyOf(ended[bucket], Ratios.BINS);
        copy.censored[bucket] = Arrays.copyOf(censored[bucket], Ratios.BINS);
      }
      return copy;
    }
  }

  /** Jobs that are there, each of which is told of once. */
  @FunctionalInterface
  public interface Alive {
    void forEach(Each each);

    /** Told of a job that is there. */
    @FunctionalInterface
    interface Each {
      void job(double toldSeconds, double doneSeconds);
    }
  }

  /** A job did all its work. */
  public synchronized void ended(double toldSeconds, double lengthSeconds) {
    counts.add(counts.ended, toldSeconds, lengthSeconds);
    ended = ended + 1;
  }

  /** A job is gone that had not done all its work: cancelled, or failed. */
  public synchronized void censored(double toldSeconds, double doneSeconds) {
    counts.add(counts.censored, toldSeconds, doneSeconds);
  }

  /** How many jobs did all their work. */
  public int ended() {
    return ended;
  }

  /** What is to be expected after all that is known by now. */
  public synchronized LikelyLeft likely(Alive alive) {
    Counts with = counts.copy();
    alive.forEach((told, done) -> with.add(with.censored, told, done));
    return new LikelyLeft(with);
  }
}
