package io.ringmaster.workload;

import io.ringmaster.model.collect.Grow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Texts that repeat: each is made a String once, however often it is read. */
final class TextPool {
  private final List<String> texts = new ArrayList<>();

  /** All texts end to end, as they are read: no object is looked at to compare one. */
  private char[] letters = new char[1 << 10];

  private int[] ends = new int[64];

  /** A text's hash in the upper half, its number plus 1 in the lower. */
  private long[] table = new long[256];

  String of(char[] text, int from, int to) {
    if (from == to) {
      return "";
    }
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + text[i];
    }
    int mask = table.length - 1;
    int slot = spread(hash) & mask;
    while (table[slot] != 0) {
      if ((int) (table[slot] >>> 32) == hash) {
        int known = (int) table[slot] - 1;
        if (Arrays.equals(letters, start(known), ends[known], text, from, to)) {
          return texts.get(known);
        }
      }
      slot = (slot + 1) & mask;
    }
    return add(slot, hash, text, from, to);
  }

  private String add(int slot, int hash, char[] text, int from, int to) {
    int number = texts.size();
    int start = start(number);
    int end = start + to - from;
    if (end > letters.length) {
      letters = Arrays.copyOf(letters, Math.max(end, 2 * letters.length));
    }
    System.arraycopy(text, from, letters, start, to - from);
    ends = Grow.ensure(ends, number + 1);
    ends[number] = end;
    String made = new String(text, from, to - from);
    texts.add(made);
    table[slot] = (long) hash << 32 | (number + 1);
    if (texts.size() * 2 > table.length) {
      grow();
    }
    return made;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  private void grow() {
    long[] old = table;
    table = new long[old.length * 2];
    int mask = table.length - 1;
    for (long entry : old) {
      if (entry != 0) {
        int slot = spread((int) (entry >>> 32)) & mask;
        while (table[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        table[slot] = entry;
      }
    }
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B1;
    return mixed ^ (mixed >>> 15);
  }
}
