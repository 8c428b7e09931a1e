package io.ringmaster.workload;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Texts that repeat: each is made a String once, however often it is read. */
final class TextPool {
  /** A text as it is read and as it is given out: arrays are compared faster than strings. */
  private static final class Known {
    final char[] letters;
    final int hash;
    final String text;

    Known(char[] letters, int hash) {
      this.letters = letters;
      this.hash = hash;
      this.text = new String(letters);
    }
  }

  private @Nullable Known[] table = new Known[256];
  private int size;

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
    for (Known known = table[slot]; known != null; known = table[slot]) {
      if (known.hash == hash
          && Arrays.equals(known.letters, 0, known.letters.length, text, from, to)) {
        return known.text;
      }
      slot = (slot + 1) & mask;
    }
    Known made = new Known(Arrays.copyOfRange(text, from, to), hash);
    table[slot] = made;
    if (++size * 2 > table.length) {
      grow();
    }
    return made.text;
  }

  private void grow() {
    @Nullable Known[] old = table;
    table = new Known[old.length * 2];
    int mask = table.length - 1;
    for (Known known : old) {
      if (known != null) {
        int slot = spread(known.hash) & mask;
        while (table[slot] != null) {
          slot = (slot + 1) & mask;
        }
        table[slot] = known;
      }
    }
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B1;
    return mixed ^ (mixed >>> 15);
  }
}
