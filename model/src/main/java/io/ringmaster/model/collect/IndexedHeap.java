package io.ringmaster.model.collect;

import java.util.Arrays;
import java.util.Comparator;

/**
 * A heap of ids with a key each, where the key of any id can change. Four children a node: half as
 * deep as a binary heap, and the children share a cache line. Equal keys order by a tie number, the
 * id unless another is given, so that the same run gives the same order.
 */
public final class IndexedHeap {
  private static final int ARITY = 4;

  private final boolean descending;
  private final Positions positions;
  private double[] keys = new double[16];
  private int[] ties = new int[16];
  private int[] ids = new int[16];
  private int size;

  /** Where each id stands. Heaps whose ids never overlap can share one. */
  public static final class Positions {
    private int[] at = new int[0];

    private void ensure(int id) {
      if (id >= at.length) {
        int before = at.length;
        at = Grow.ensure(at, id + 1);
        Arrays.fill(at, before, at.length, -1);
      }
    }
  }

  private IndexedHeap(boolean descending, Positions positions) {
    this.descending = descending;
    this.positions = positions;
  }

  /** Least key first, then least tie. */
  public static IndexedHeap ascending() {
    return new IndexedHeap(false, new Positions());
  }

  /**
   * A heap whose ids stand in no other heap of the same positions. Descending is the exact reverse
   * of the ascending order: greatest key first, then greatest tie.
   */
  public static IndexedHeap sharing(Positions positions, boolean descending) {
    return new IndexedHeap(descending, positions);
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** True if the id is in this heap or in one that shares its positions. */
  public boolean contains(int id) {
    return id < positions.at.length && positions.at[id] >= 0;
  }

  public int peek() {
    return ids[0];
  }

  public double peekKey() {
    return keys[0];
  }

  public int peekTie() {
    return ties[0];
  }

  /** The key of an id that is in this heap. */
  public double key(int id) {
    return keys[positions.at[id]];
  }

  /** Adds an id, or changes its key. */
  public void put(int id, double key) {
    put(id, key, id);
  }

  /** Adds an id, or changes its key and tie number. */
  public void put(int id, double key, int tie) {
    positions.ensure(id);
    int at = positions.at[id];
    if (at < 0) {
      keys = Grow.ensure(keys, size + 1);
      ties = Grow.ensure(ties, size + 1);
      ids = Grow.ensure(ids, size + 1);
      siftUp(size++, id, key, tie);
    } else if (before(key, tie, keys[at], ties[at])) {
      siftUp(at, id, key, tie);
    } else {
      siftDown(at, id, key, tie);
    }
  }

  /**
   * How many entries stand before a key and tie in this heap's order, counting no further than a
   * limit. Visits only those entries and their children.
   */
  public int countBefore(double key, int tie, int limit) {
    return size == 0 ? 0 : countBefore(0, key, tie, limit);
  }

  private int countBefore(int at, double key, int tie, int limit) {
    if (limit <= 0 || !before(keys[at], ties[at], key, tie)) {
      return 0;
    }
    int count = 1;
    int first = at * ARITY + 1;
    int end = Math.min(first + ARITY, size);
    for (int child = first; child < end && count < limit; child++) {
      count += countBefore(child, key, tie, limit - count);
    }
    return count;
  }

  public int poll() {
    int top = ids[0];
    remove(top);
    return top;
  }

  /** All ids in the order in which they would be polled. */
  public int[] inOrder() {
    Comparator<Integer> order =
        Comparator.comparingDouble((Integer i) -> keys[i]).thenComparingInt(i -> ties[i]);
    int[] places = Sorted.by(descending ? order.reversed() : order, size);
    return Arrays.stream(places).map(i -> ids[i]).toArray();
  }

  /** Takes an id out, if it is there. */
  public void remove(int id) {
    if (!contains(id)) {
      return;
    }
    int at = positions.at[id];
    positions.at[id] = -1;
    size--;
    if (at == size) {
      return;
    }
    int moved = ids[size];
    double key = keys[size];
    int tie = ties[size];
    if (before(key, tie, keys[at], ties[at])) {
      siftUp(at, moved, key, tie);
    } else {
      siftDown(at, moved, key, tie);
    }
  }

  private boolean before(double keyA, int tieA, double keyB, int tieB) {
    if (descending) {
      return keyA > keyB || (keyA == keyB && tieA > tieB);
    }
    return keyA < keyB || (keyA == keyB && tieA < tieB);
  }

  private void siftUp(int from, int id, double key, int tie) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / ARITY;
      if (!before(key, tie, keys[parent], ties[parent])) {
        break;
      }
      place(at, ids[parent], keys[parent], ties[parent]);
      at = parent;
    }
    place(at, id, key, tie);
  }

  private void siftDown(int from, int id, double key, int tie) {
    int at = from;
    while (true) {
      int first = at * ARITY + 1;
      if (first >= size) {
        break;
      }
      int best = first;
      int end = Math.min(first + ARITY, size);
      for (int child = first + 1; child < end; child++) {
        if (before(keys[child], ties[child], keys[best], ties[best])) {
          best = child;
        }
      }
      if (!before(keys[best], ties[best], key, tie)) {
        break;
      }
      place(at, ids[best], keys[best], ties[best]);
      at = best;
    }
    place(at, id, key, tie);
  }

  private void place(int at, int id, double key, int tie) {
    ids[at] = id;
    keys[at] = key;
    ties[at] = tie;
    positions.at[id] = at;
  }
}
