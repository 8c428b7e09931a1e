package io.ringmaster.simulator;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.Comparator;

/** Amounts that are held for a time of several things, and the most that was held of each. */
final class Peaks {
  /** Amounts that cancel out leave no more than this share of the greatest behind. */
  private static final double ROUNDING = 1e-9;

  private final IntList things = new IntList();
  private double[] seconds = new double[64];
  private double[] changes = new double[64];

  /** The most that was held at a time, and when first. */
  record Peak(double amount, double seconds) {
    boolean exceeds(double capacity) {
      return amount > capacity * (1 + ROUNDING);
    }
  }

  /** From a time up to, but not at, another. */
  void add(int thing, double from, double to, double amount) {
    if (amount > 0) {
      change(thing, from, amount);
      change(thing, to, -amount);
    }
  }

  private void change(int thing, double at, double by) {
    int size = things.size();
    seconds = Grow.ensure(seconds, size + 1);
    changes = Grow.ensure(changes, size + 1);
    seconds[size] = at;
    changes[size] = by;
    things.add(thing);
  }

  /** Of each thing. At one moment all is given back before more is taken. */
  Peak[] of(int count) {
    Comparator<Integer> byTime = Comparator.comparingDouble(i -> seconds[i]);
    int[] order = Sorted.by(byTime.thenComparingDouble(i -> changes[i]), things.size());
    double[] held = new double[count];
    Peak[] peaks = new Peak[count];
    Arrays.fill(peaks, new Peak(0, 0));
    for (int i : order) {
      int thing = things.get(i);
      held[thing] += changes[i];
      if (held[thing] > peaks[thing].amount()) {
        peaks[thing] = new Peak(held[thing], seconds[i]);
      }
    }
    return peaks;
  }
}
