package io.ringmaster.simulator;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;

/**
 * For each server a number that changes in steps over time. Filled first, then built, then read.
 */
final class StepCounts {
  private final double[][] moments;
  private final int[][] counts;
  private final int[] sizes;

  /** The greatest number and when it is first reached. */
  record Peak(int count, double seconds) {}

  StepCounts(int servers) {
    moments = new double[servers][0];
    counts = new int[servers][0];
    sizes = new int[servers];
  }

  /** Adds an amount from a time up to, but not at, another. */
  void add(int server, double from, double to, int amount) {
    change(server, from, amount);
    change(server, to, -amount);
  }

  private void change(int server, double seconds, int by) {
    int at = sizes[server]++;
    moments[server] = Grow.ensure(moments[server], at + 1);
    counts[server] = Grow.ensure(counts[server], at + 1);
    moments[server][at] = seconds;
    counts[server][at] = by;
  }

  /** Turns the changes into numbers, one for each distinct moment. */
  void build() {
    for (int server = 0; server < sizes.length; server++) {
      double[] times = moments[server];
      int[] changes = counts[server];
      int[] order = Sorted.byKey(Arrays.copyOf(times, sizes[server]));
      double[] distinct = new double[order.length];
      int[] numbers = new int[order.length];
      int size = 0;
      int number = 0;
      for (int i : order) {
        number += changes[i];
        if (size == 0 || distinct[size - 1] != times[i]) {
          distinct[size++] = times[i];
        }
        numbers[size - 1] = number;
      }
      moments[server] = Arrays.copyOf(distinct, size);
      counts[server] = Arrays.copyOf(numbers, size);
    }
  }

  Peak peak(int server) {
    Peak peak = new Peak(0, 0);
    for (int i = 0; i < counts[server].length; i++) {
      if (counts[server][i] > peak.count()) {
        peak = new Peak(counts[server][i], moments[server][i]);
      }
    }
    return peak;
  }

  int countAt(int server, double seconds) {
    int at = Arrays.binarySearch(moments[server], seconds);
    int last = at >= 0 ? at : -at - 2;
    return last < 0 ? 0 : counts[server][last];
  }

  /** Both ends of a span, and all moments between them at which any of some servers changes. */
  double[] changes(int[] servers, double from, double to) {
    double[] found = {from, to};
    int size = 2;
    for (int server : servers) {
      double[] times = moments[server];
      int at = Arrays.binarySearch(times, from);
      for (int i = at >= 0 ? at : -at - 1; i < times.length && times[i] < to; i++) {
        found = Grow.ensure(found, size + 1);
        found[size++] = times[i];
      }
    }
    return Arrays.stream(found, 0, size).sorted().distinct().toArray();
  }
}
