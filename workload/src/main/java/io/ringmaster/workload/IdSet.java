package io.ringmaster.workload;

import io.ringmaster.model.collect.Grow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Ids seen so far and the lines they came from. A million ids take some 40 MB: their bytes, end to
 * end, and an open hash table.
 *
 * <p>Ids that keep growing, first in length, then in bytes, as numbered ones do, cannot repeat:
 * until the first that breaks this order there is no table at all.
 */
final class IdSet {
  private byte[] bytes = new byte[1 << 12];
  private int[] ends = new int[256];
  private int[] lines = new int[256];
  private int size;

  /** A row's hash in the upper half, its number plus 1 in the lower. Empty while ids grow. */
  private long[] table = {};

  /** Adds an id. Returns -1 if it is new, and the line of the one before it otherwise. */
  int add(String id, int line) {
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    return add(utf8, utf8.length, line);
  }

  /** The same for an id of so many bytes. */
  int add(byte[] id, int idLength, int line) {
    int from = start(size);
    int to = from + idLength;
    // It stays there if it is new.
    bytes = Grow.ensure(bytes, to);
    System.arraycopy(id, 0, bytes, from, idLength);
    ends = Grow.ensure(ends, size + 1);
    lines = Grow.ensure(lines, size + 1);
    ends[size] = to;
    lines[size] = line;
    if (table.length == 0 && !grows(from, to)) {
      rebuild(Math.max(1024, Integer.highestOneBit(size) * 4));
    }
    if (table.length > 0) {
      int before = insert(size);
      if (before >= 0) {
        return lines[before];
      }
    }
    size++;
    if (table.length > 0 && size * 2 > table.length) {
      rebuild(table.length * 2);
    }
    return -1;
  }

  private int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  private boolean grows(int from, int to) {
    if (size == 0) {
      return true;
    }
    int start = start(size - 1);
    int longer = (to - from) - (from - start);
    return longer > 0
        || (longer == 0 && Arrays.compareUnsigned(bytes, from, to, bytes, start, from) > 0);
  }

  /** Puts a row into the table. Returns the row that has its id already, or -1. */
  private int insert(int row) {
    int from = start(row);
    int to = ends[row];
    long hash = hash(from, to);
    int mask = table.length - 1;
    int slot = (int) hash & mask;
    while (table[slot] != 0) {
      if (table[slot] >>> 32 == hash) {
        int other = (int) table[slot] - 1;
        if (Arrays.equals(bytes, start(other), ends[other], bytes, from, to)) {
          return other;
        }
      }
      slot = (slot + 1) & mask;
    }
    table[slot] = hash << 32 | (row + 1);
    return -1;
  }

  private void rebuild(int length) {
    table = new long[length];
    for (int row = 0; row < size; row++) {
      insert(row);
    }
  }

  /** 32 bits. */
  private long hash(int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + bytes[i];
    }
    int mixed = hash * 0x9E3779B1;
    return (mixed ^ (mixed >>> 15)) & 0xFFFFFFFFL;
  }
}
