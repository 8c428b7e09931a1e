package io.ringmaster.whatif;

import java.util.Locale;

/** Numbers in sentences. */
final class Spoken {
  private static final double MINUTE = 60;
  private static final double HOUR = 3600;

  private Spoken() {}

  static String time(double seconds) {
    if (seconds < 2 * MINUTE) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    }
    double minutes = seconds / MINUTE;
    return seconds < 3 * HOUR
        ? String.format(Locale.ROOT, minutes < 20 ? "%.1f min" : "%.0f min", minutes)
        : String.format(Locale.ROOT, "%.1f h", seconds / HOUR);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%+.0f %%", 100 * share);
  }

  static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String upper(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
