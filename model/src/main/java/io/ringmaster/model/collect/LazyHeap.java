package io.ringmaster.model.collect;

import java.util.Arrays;

/**
 * A heap of ids with a key each, least key first, then least id. A key that changes leaves its old
 * entry behind, to be dropped when it comes to the top: unlike {@link IndexedHeap} nothing has to
 * know where an id stands, which saves a cache miss for each level that an entry moves. For heaps
 * whose entries mostly leave by the top.
 */
public final class LazyHeap {
  private static final int ARITY = 4;

  private double[] keys = new double[16];
  private int[] ids = new int[16];
  private int entries;
  private int size;

  /** The key of each id that is in the heap; NaN for the others. */
  private double[] current = new double[0];

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean contains(int id) {
    return id < current.length && !Double.isNaN(current[id]);
  }

  /** The key of an id that is in the heap. */
  public double key(int id) {
    return current[id];
  }

  /** Adds an id, or changes its key. */
  public void put(int id, double key) {
    if (id >= current.length) {
      int before = current.length;
      current = Grow.ensure(current, id + 1);
      Arrays.fill(current, before, current.length, Double.NaN);
    }
    if (current[id] == key) {
      return;
    }
    size += Double.isNaN(current[id]) ? 1 : 0;
    current[id] = key;
    if (entries > 2 * size + 1024) {
      compact();
    }
    keys = Grow.ensure(keys, entries + 1);
    ids = Grow.ensure(ids, entries + 1);
    siftUp(entries++, id, key);
  }

  /** Takes an id out, if it is there. */
  public void remove(int id) {
    if (contains(id)) {
      current[id] = Double.NaN;
      size--;
    }
  }

  /** The first id. The heap must not be empty. */
  public int peek() {
    dropStale();
    return ids[0];
  }

  /** The key of the first id. The heap must not be empty. */
  public double peekKey() {
    dropStale();
    return keys[0];
  }

  /** Takes the first id out. The heap must not be empty. */
  public int poll() {
    dropStale();
    int id = ids[0];
    current[id] = Double.NaN;
    size--;
    dropTop();
    return id;
  }

  private void dropStale() {
    while (current[ids[0]] != keys[0]) {
      dropTop();
    }
  }

  private void dropTop() {
    entries--;
    if (entries > 0) {
      siftDown(0, ids[entries], keys[entries]);
    }
  }

  /** Drops what was left behind: it looks at the entries, not at all ids that ever came. */
  private void compact() {
    int kept = 0;
    for (int at = 0; at < entries; at++) {
      int id = ids[at];
      if (current[id] == keys[at]) {
        keys[kept] = keys[at];
        ids[kept++] = id;
        // A key that came back has two entries: the second is not found current.
        current[id] = Double.NaN;
      }
    }
    entries = kept;
    for (int at = 0; at < entries; at++) {
      current[ids[at]] = keys[at];
    }
    for (int at = (entries - 2) / ARITY; at >= 0; at--) {
      siftDown(at, ids[at], keys[at]);
    }
  }

  private static boolean before(double keyA, int idA, double keyB, int idB) {
    return keyA < keyB || (keyA == keyB && idA < idB);
  }

  private void siftUp(int from, int id, double key) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / ARITY;
      if (!before(key, id, keys[parent], ids[parent])) {
        break;
      }
      keys[at] = keys[parent];
      ids[at] = ids[parent];
      at = parent;
    }
    keys[at] = key;
    ids[at] = id;
  }

  private void siftDown(int from, int id, double key) {
    int at = from;
    while (true) {
      int first = at * ARITY + 1;
      if (first >= entries) {
        break;
      }
      int best = first;
      double bestKey = keys[first];
      int end = Math.min(first + ARITY, entries);
      for (int child = first + 1; child < end; child++) {
        double childKey = keys[child];
        if (childKey < bestKey || (childKey == bestKey && ids[child] < ids[best])) {
          best = child;
          bestKey = childKey;
        }
      }
      if (!before(bestKey, ids[best], key, id)) {
        break;
      }
      keys[at] = bestKey;
      ids[at] = ids[best];
      at = best;
    }
    keys[at] = key;
    ids[at] = id;
  }
}
