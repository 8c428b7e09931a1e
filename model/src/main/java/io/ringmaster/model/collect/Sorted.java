package io.ringmaster.model.collect;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Ints in an order of their own: of jobs, servers or rows that are known by a number. */
public final class Sorted {
  private Sorted() {}

  /** What is equal stays as it was. */
  public static int[] by(Comparator<Integer> order, IntStream numbers) {
    return numbers.boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }

  /** All from 0 up to a count. */
  public static int[] by(Comparator<Integer> order, int count) {
    return by(order, IntStream.range(0, count));
  }

  /**
   * All from 0 up to the number of keys, by key: without an object for each. What is equal stays as
   * it was.
   *
   * @param keys none is NaN
   */
  public static int[] byKey(double[] keys) {
    int[] from = new int[keys.length];
    for (int i = 0; i < from.length; i++) {
      from[i] = i;
    }
    int[] to = new int[keys.length];
    // Merges runs of doubling length.
    for (int run = 1; run < keys.length; run *= 2) {
      for (int start = 0; start < keys.length; start += 2 * run) {
        merge(keys, from, to, start, run);
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private static void merge(double[] keys, int[] from, int[] to, int start, int run) {
    int middle = Math.min(start + run, keys.length);
    int end = Math.min(middle + run, keys.length);
    if (middle == end || keys[from[middle - 1]] <= keys[from[middle]]) {
      System.arraycopy(from, start, to, start, end - start);
      return;
    }
    int left = start;
    int right = middle;
    for (int at = start; at < end; at++) {
      boolean takeLeft = right == end || (left < middle && keys[from[left]] <= keys[from[right]]);
      to[at] = takeLeft ? from[left++] : from[right++];
    }
  }
}
