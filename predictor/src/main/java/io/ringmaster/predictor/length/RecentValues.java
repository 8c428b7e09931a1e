package io.ringmaster.predictor.length;

import java.util.Arrays;

/**
 * The last values of a series, so many at most, with their quantiles. They lie sorted in an array:
 * a value costs a search and a short copy.
 */
final class RecentValues {
  private final int most;
  private int count;

  /** Where the next value goes in the circle of them. */
  private int next;

  private double[] values = new double[2];
  private double[] sorted = new double[2];

  RecentValues(int most) {
    this.most = most;
  }

  void add(double value) {
    if (count == most) {
      remove(values[next]);
    } else if (count == values.length) {
      int to = Math.min(most, 2 * count);
      values = Arrays.copyOf(values, to);
      sorted = Arrays.copyOf(sorted, to);
    }
    values[next] = value;
    next = next + 1 == most ? 0 : next + 1;
    int found = Arrays.binarySearch(sorted, 0, count, value);
    int at = found < 0 ? -found - 1 : found;
    System.arraycopy(sorted, at, sorted, at + 1, count - at);
    sorted[at] = value;
    count++;
  }

  private void remove(double value) {
    int at = Arrays.binarySearch(sorted, 0, count, value);
    count--;
    System.arraycopy(sorted, at + 1, sorted, at, count - at);
  }

  int count() {
    return count;
  }

  double last() {
    return values[next == 0 ? count - 1 : next - 1];
  }

  /** Half-way between the two in the middle of an even number. */
  double median() {
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  }

  /** The value of a rank: 1 is the least; what is beyond the greatest is the greatest. */
  double ranked(int rank) {
    return sorted[Math.min(rank, count) - 1];
  }
}
