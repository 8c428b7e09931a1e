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
}
