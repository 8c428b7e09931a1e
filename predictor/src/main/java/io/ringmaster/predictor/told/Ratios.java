package io.ringmaster.predictor.told;

import java.util.Arrays;

/** How lengths over what was told of them are put into bins. */
final class Ratios {
  /** A bin is a sixth of an octave wide: two lengths in it differ by 12 % at most. */
  private static final int BINS_AN_OCTAVE = 6;

  /** Lengths that are told the wrong way round are a million times off. */
  private static final int OCTAVES_EACH_WAY = 20;

  static final int BINS = 2 * OCTAVES_EACH_WAY * BINS_AN_OCTAVE;

  /** Where bins begin; the first at 0, and the last of these is where the last bin ends. */
  static final double[] EDGES = new double[BINS + 1];

  /** A job told as an hour may be wrong in another way than one told as a minute: factors of 4. */
  static final int BUCKETS = 12;

  static {
    for (int i = 1; i <= BINS; i++) {
      EDGES[i] = StrictMath.pow(2, (double) i / BINS_AN_OCTAVE - OCTAVES_EACH_WAY);
    }
  }

  /** How many times as large a bin's end is as its beginning. */
  static final double STEP = StrictMath.pow(2, 1.0 / BINS_AN_OCTAVE);

  private Ratios() {}

  /** The bin of a ratio; what is beyond the last is in the last. */
  static int bin(double ratio) {
    return at(EDGES, ratio);
  }

  /** The last place in ascending numbers that is not above a value, and has one behind it. */
  static int at(double[] ascending, double value) {
    int found = Arrays.binarySearch(ascending, value);
    int place = found >= 0 ? found : -found - 2;
    return Math.clamp(place, 0, ascending.length - 2);
  }

  static int bucket(double toldSeconds) {
    return Math.clamp(Math.getExponent(toldSeconds) / 2, 0, BUCKETS - 1);
  }
}
