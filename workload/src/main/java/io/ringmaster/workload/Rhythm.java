package io.ringmaster.workload;

import java.util.Arrays;

/**
 * When jobs are submitted: a rate that is constant within an hour and repeats each week, Monday
 * first.
 */
final class Rhythm {
  private static final int HOURS = 24;
  private static final int WEEK = 7 * HOURS;
  private static final double HOUR_SECONDS = 3600;

  /** Weights summed up to the end of each hour of the week, after a 0. */
  private final double[] sums = new double[WEEK + 1];

  /**
   * @param hours weights of the 24 hours of a day
   * @param days weights of the 7 days of a week
   */
  Rhythm(double[] hours, double[] days) {
    for (int i = 0; i < WEEK; i++) {
      sums[i + 1] = sums[i] + days[i / HOURS] * hours[i % HOURS];
    }
  }

  /** Draws the times of so many jobs in a span that starts on a Monday at midnight, sorted. */
  double[] times(int count, double spanSeconds, Draws draws) {
    double[] times = new double[count];
    double end = weightUntil(spanSeconds);
    for (int i = 0; i < count; i++) {
      times[i] = Math.min(spanSeconds, timeOf(draws.uniform() * end));
    }
    Arrays.sort(times);
    return times;
  }

  private double weightUntil(double seconds) {
    double hours = seconds / HOUR_SECONDS;
    double weeks = Math.floor(hours / WEEK);
    double rest = hours - weeks * WEEK;
    int hour = (int) Math.min(rest, WEEK - 1);
    return weeks * sums[WEEK] + sums[hour] + (rest - hour) * (sums[hour + 1] - sums[hour]);
  }

  private double timeOf(double weight) {
    double weeks = Math.floor(weight / sums[WEEK]);
    double rest = weight - weeks * sums[WEEK];
    int found = Arrays.binarySearch(sums, rest);
    int hour = Math.min(WEEK - 1, found >= 0 ? found : -found - 2);
    double part = (rest - sums[hour]) / (sums[hour + 1] - sums[hour]);
    return (weeks * WEEK + hour + part) * HOUR_SECONDS;
  }
}
