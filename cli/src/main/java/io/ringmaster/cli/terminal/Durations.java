package io.ringmaster.cli.terminal;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** Times in the unit in which they read best. */
public enum Durations {
  SECONDS(1, "s"),
  MINUTES(60, "min"),
  HOURS(3600, "h"),
  DAYS(86400, "d");

  private final double seconds;
  private final String label;

  Durations(double seconds, String label) {
    this.seconds = seconds;
    this.label = label;
  }

  /** The largest unit in which a time is at least two. */
  public static Durations fitting(double time) {
    Durations best = SECONDS;
    for (Durations unit : values()) {
      if (time >= 2 * unit.seconds) {
        best = unit;
      }
    }
    return best;
  }

  /** The unit of a column: one that fits the time in the middle of all that stand in it. */
  public static Durations ofColumn(DoubleStream times) {
    double[] sorted = times.filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0 ? SECONDS : fitting(sorted[sorted.length / 2]);
  }

  public String label() {
    return label;
  }

  /** A time in this unit, with the unit; a dash for none. */
  public String with(double time) {
    return Double.isNaN(time) ? "-" : number(time) + " " + label;
  }

  /** A time in this unit, without the unit. */
  public String number(double time) {
    double value = time / seconds;
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%,.0f", value);
  }

  /** A time in the unit that fits it, with the unit. */
  public static String text(double time) {
    return fitting(time).with(time);
  }
}
