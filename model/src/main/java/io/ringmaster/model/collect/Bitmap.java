package io.ringmaster.model.collect;

/**
 * A set of small ints with the least and next member in three or four steps however many there are:
 * each level has one bit for a word of the level below.
 */
public final class Bitmap {
  private final long[][] levels;
  private final int capacity;
  private int size;

  public Bitmap(int capacity) {
    this.capacity = capacity;
    int depth = 1;
    for (int words = words(capacity); words > 1; words = words(words)) {
      depth++;
    }
    levels = new long[depth][];
    int length = capacity;
    for (int level = 0; level < depth; level++) {
      length = words(length);
      levels[level] = new long[length];
    }
  }

  /** The same members as another, from then on on its own. */
  public Bitmap(Bitmap other) {
    capacity = other.capacity;
    size = other.size;
    levels = new long[other.levels.length][];
    for (int level = 0; level < levels.length; level++) {
      levels[level] = other.levels[level].clone();
    }
  }

  private static int words(int bits) {
    return Math.max(1, (bits + 63) >>> 6);
  }

  public boolean contains(int value) {
    return (levels[0][value >>> 6] & 1L << value) != 0;
  }

  public void add(int value) {
    if (contains(value)) {
      return;
    }
    size++;
    int at = value;
    for (long[] level : levels) {
      long before = level[at >>> 6];
      level[at >>> 6] = before | 1L << at;
      if (before != 0) {
        return;
      }
      at >>>= 6;
    }
  }

  public void remove(int value) {
    if (!contains(value)) {
      return;
    }
    size--;
    int at = value;
    for (long[] level : levels) {
      long after = level[at >>> 6] & ~(1L << at);
      level[at >>> 6] = after;
      if (after != 0) {
        return;
      }
      at >>>= 6;
    }
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** The least member at or above a value, or -1. */
  public int next(int from) {
    if (from >= capacity) {
      return -1;
    }
    int at = from;
    for (int level = 0; level < levels.length; level++) {
      int word = at >>> 6;
      if (word >= levels[level].length) {
        return -1;
      }
      long bits = levels[level][word] >>> at;
      if (bits != 0) {
        return descend(level, at + Long.numberOfTrailingZeros(bits));
      }
      at = word + 1;
    }
    return -1;
  }

  private int descend(int level, int at) {
    int bit = at;
    for (int below = level - 1; below >= 0; below--) {
      bit = (bit << 6) + Long.numberOfTrailingZeros(levels[below][bit]);
    }
    return bit;
  }

  /** The greatest member at or below a value, or -1. */
  public int previous(int from) {
    int at = from;
    for (int level = 0; level < levels.length; level++) {
      if (at < 0) {
        return -1;
      }
      int word = at >>> 6;
      long bits = levels[level][word] << (63 - at);
      if (bits != 0) {
        int bit = at - Long.numberOfLeadingZeros(bits);
        for (int below = level - 1; below >= 0; below--) {
          bit = (bit << 6) + 63 - Long.numberOfLeadingZeros(levels[below][bit]);
        }
        return bit;
      }
      at = word - 1;
    }
    return -1;
  }
}
