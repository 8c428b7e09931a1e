package io.ringmaster.rehearsal;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: what is to happen when. What is due at one moment happens in the order of entry.
 */
final class Agenda {
  private record Item(double seconds, long serial, Runnable action) {}

  private final PriorityQueue<Item> items =
      new PriorityQueue<>(
          Comparator.comparingDouble(Item::seconds).thenComparingLong(Item::serial));
  private double nowSeconds;
  private long serial;

  Agenda(double nowSeconds) {
    this.nowSeconds = nowSeconds;
  }

  double nowSeconds() {
    return nowSeconds;
  }

  /** Puts something down; what is already past is due now. */
  void at(double seconds, Runnable action) {
    items.add(new Item(Math.max(seconds, nowSeconds), serial++, action));
  }

  void in(double seconds, Runnable action) {
    at(nowSeconds + seconds, action);
  }

  /** Lets the next thing happen, if it is due by then; else it is then. */
  boolean next(double untilSeconds) {
    @Nullable Item item = items.peek();
    if (item == null || item.seconds() > untilSeconds) {
      nowSeconds = Math.max(nowSeconds, untilSeconds);
      return false;
    }
    items.remove();
    nowSeconds = item.seconds();
    item.action().run();
    return true;
  }

  void advance(double seconds) {
    double until = nowSeconds + seconds;
    while (next(until)) {}
  }
}
