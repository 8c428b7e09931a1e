package io.ringmaster.model.collect;

import java.util.Arrays;

/** The values at some places of the sorted order, without sorting all of them. */
public final class Ranks {
  private static final int BUCKET_BITS = 12;

  /** Up to so many are sorted. */
  private static final int FEW = 1 << BUCKET_BITS;

  private Ranks() {}

  /**
   * The values that would be at these places if the values from an index up to another were sorted.
   * The values stay where they are.
   *
   * @param ranks rising, each from 0 to {@code to - from - 1}
   */
  public static double[] at(double[] values, int from, int to, int... ranks) {
    double[] found = new double[ranks.length];
    if (ranks.length > 0) {
      find(values, from, to, 0, ranks, 0, ranks.length, found);
    }
    return found;
  }

  /**
   * Counts how many are in each of some buckets of rising values, and looks only into those that a
   * wanted one is in.
   *
   * @param below how many are below the first of the values: ranks count them
   */
  private static void find(
      double[] values,
      int from,
      int to,
      int below,
      int[] ranks,
      int firstRank,
      int endRank,
      double[] found) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    boolean plain = to - from > FEW;
    for (int i = from; i < to && plain; i++) {
      double value = values[i];
      // Of others the bits are not in the order of the values.
      plain = value > 0 || (value == 0 && 1 / value > 0);
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (!plain) {
      double[] sorted = Arrays.copyOfRange(values, from, to);
      Arrays.sort(sorted);
      for (int r = firstRank; r < endRank; r++) {
        found[r] = sorted[ranks[r] - below];
      }
      return;
    }
    if (least == most) {
      Arrays.fill(found, firstRank, endRank, least);
      return;
    }
    long lowest = Double.doubleToRawLongBits(least);
    long span = Double.doubleToRawLongBits(most) - lowest;
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(span) - BUCKET_BITS);
    int[] count = new int[1 << BUCKET_BITS];
    for (int i = from; i < to; i++) {
      count[(int) ((Double.doubleToRawLongBits(values[i]) - lowest) >>> shift)]++;
    }
    // Where the values of a bucket are put; -1 if nobody asks for them.
    int[] next = new int[count.length];
    int kept = 0;
    int start = below;
    int rank = firstRank;
    for (int bucket = 0; bucket < count.length; bucket++) {
      start += count[bucket];
      next[bucket] = -1;
      if (rank < endRank && ranks[rank] < start) {
        next[bucket] = kept;
        kept += count[bucket];
        while (rank < endRank && ranks[rank] < start) {
          rank++;
        }
      }
    }
    double[] own = new double[kept];
    for (int i = from; i < to; i++) {
      int bucket = (int) ((Double.doubleToRawLongBits(values[i]) - lowest) >>> shift);
      if (next[bucket] >= 0) {
        own[next[bucket]++] = values[i];
      }
    }
    start = below;
    rank = firstRank;
    for (int bucket = 0; bucket < count.length; bucket++) {
      int first = rank;
      while (rank < endRank && ranks[rank] < start + count[bucket]) {
        rank++;
      }
      if (rank > first) {
        find(own, next[bucket] - count[bucket], next[bucket], start, ranks, first, rank, found);
      }
      start += count[bucket];
    }
  }
}
