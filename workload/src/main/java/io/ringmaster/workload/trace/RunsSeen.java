package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells a job that ran again from a row that is there twice, by when they started. Nearly all jobs
 * run once: for those it holds 16 bytes, at most half of them in use.
 */
final class RunsSeen {
  private long[] keys = new long[1 << 10];
  private long[] starts = new long[1 << 10];
  private int count;
  private final Map<Long, List<Long>> laterStarts = new HashMap<>();

  /**
   * Which run of its job this is: 1, 2, ...; 0 if it was there before.
   *
   * @param key not 0
   */
  int run(long key, long startSeconds) {
    int at = slot(keys, key);
    if (keys[at] == 0) {
      keys[at] = key;
      starts[at] = startSeconds;
      if (++count > keys.length / 2) {
        grow();
      }
      return 1;
    }
    List<Long> later = laterStarts.get(key);
    if (starts[at] == startSeconds || (later != null && later.contains(startSeconds))) {
      return 0;
    }
    if (later == null) {
      later = new ArrayList<>(1);
      laterStarts.put(key, later);
    }
    later.add(startSeconds);
    return later.size() + 1;
  }

  private static int slot(long[] keys, long key) {
    int mask = keys.length - 1;
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldStarts = starts;
    keys = new long[oldKeys.length * 2];
    starts = new long[oldKeys.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = slot(keys, oldKeys[i]);
        keys[at] = oldKeys[i];
        starts[at] = oldStarts[i];
      }
    }
  }
}
