package io.ringmaster.predictor.forest;

import java.util.Arrays;

/**
 * Rows with each feature reduced to a bin, a byte. A feature with few values has a bin for each;
 * else bins hold about as many rows each, and a value that many rows share has its own. Bin 0 is
 * for what is not known: NaN is below everything.
 */
final class Bins {
  /** With that of NaN, as many as a byte can tell apart but one. */
  static final int MOST = 255;

  private final int width;
  private final int size;
  private final byte[] bins;

  /** By feature and bin: what is greater lies in a higher bin. */
  private final double[][] edges;

  Bins(Rows rows) {
    width = rows.width();
    size = rows.size();
    bins = new byte[size * width];
    edges = new double[width][];
    double[] column = new double[size];
    for (int f = 0; f < width; f++) {
      for (int i = 0; i < size; i++) {
        column[i] = rows.at(i, f);
      }
      double[] sorted = column.clone();
      // NaN comes last.
      Arrays.sort(sorted);
      edges[f] = edges(sorted);
      for (int i = 0; i < size; i++) {
        bins[i * width + f] = (byte) bin(edges[f], column[i]);
      }
    }
  }

  int width() {
    return width;
  }

  int size() {
    return size;
  }

  /** By row, then feature; unsigned. Not to be changed. */
  byte[] bins() {
    return bins;
  }

  /** How many bins a feature has, that of NaN included. */
  int count(int feature) {
    return edges[feature].length + 1;
  }

  /** What is greater than this is in a higher bin. */
  double edge(int feature, int bin) {
    return edges[feature][bin];
  }

  private static double[] edges(double[] sorted) {
    int known = sorted.length;
    while (known > 0 && Double.isNaN(sorted[known - 1])) {
      known--;
    }
    int distinct = 0;
    for (int i = 0; i < known; i++) {
      distinct += i == 0 || sorted[i] != sorted[i - 1] ? 1 : 0;
    }
    double[] edges = new double[MOST - 1];
    edges[0] = Double.NEGATIVE_INFINITY;
    int found = 1;
    int binsLeft = MOST - 1;
    boolean each = distinct <= binsLeft;
    int inBin = 0;
    int rowsLeft = known;
    for (int i = 0; i < known; ) {
      int next = i + 1;
      while (next < known && sorted[next] == sorted[i]) {
        next++;
      }
      // Closes the bin before a value that fills one by itself, and after the value that fills it.
      boolean own = (long) (next - i) * binsLeft >= rowsLeft;
      if (i > 0 && inBin > 0 && (each || own) && binsLeft > 1) {
        edges[found++] = between(sorted[i - 1], sorted[i]);
        rowsLeft -= inBin;
        binsLeft--;
        inBin = 0;
      }
      inBin += next - i;
      if (!each && next < known && (long) inBin * binsLeft >= rowsLeft && binsLeft > 1) {
        edges[found++] = between(sorted[next - 1], sorted[next]);
        rowsLeft -= inBin;
        binsLeft--;
        inBin = 0;
      }
      i = next;
    }
    return Arrays.copyOf(edges, found);
  }

  /** The middle, or what rounding leaves of it: at least the lower, below the higher. */
  private static double between(double low, double high) {
    double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
  }

  private static int bin(double[] edges, double value) {
    if (Double.isNaN(value)) {
      return 0;
    }
    // The number of edges below the value.
    int low = 0;
    int high = edges.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (value > edges[middle]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
