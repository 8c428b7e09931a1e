package io.ringmaster.workload;

/** Texts that repeat: each is made a String once, however often it is read. */
final class TextPool {
  private String[] table = new String[256];
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
    while (table[slot] != null) {
      if (same(table[slot], text, from, to)) {
        return table[slot];
      }
      slot = (slot + 1) & mask;
    }
    String made = new String(text, from, to - from);
    table[slot] = made;
    if (++size * 2 > table.length) {
      grow();
    }
    return made;
  }

  private static boolean same(String known, char[] text, int from, int to) {
    if (known.length() != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (known.charAt(i - from) != text[i]) {
        return false;
      }
    }
    return true;
  }

  private void grow() {
    String[] old = table;
    table = new String[old.length * 2];
    int mask = table.length - 1;
    for (String text : old) {
      if (text != null) {
        int slot = spread(text.hashCode()) & mask;
        while (table[slot] != null) {
          slot = (slot + 1) & mask;
        }
        table[slot] = text;
      }
    }
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B1;
    return mixed ^ (mixed >>> 15);
  }
}
