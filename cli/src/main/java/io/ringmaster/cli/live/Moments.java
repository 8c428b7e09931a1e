package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Durations;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments and the time between them, as people say them. */
final class Moments {
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd ", Locale.ROOT);
  private static final int MINUTE_SECONDS = 60;

  private Moments() {}

  static double now() {
    return System.currentTimeMillis() / 1000.0;
  }

  /** {@code 15:40:02}, with the day before it if that is not today; a dash for none. */
  static String second(double seconds) {
    return moment(seconds, SECOND);
  }

  /** {@code in about 12.0 min, 15:40}. */
  static String ahead(double seconds, double now) {
    double wait = seconds - now;
    return wait < 1
        ? "now"
        : "in about %s, %s"
            .formatted(rounded(wait), moment(seconds, wait < 2 * MINUTE_SECONDS ? SECOND : MINUTE));
  }

  /** {@code 15:40}: for columns, where times are compared. */
  static String at(double seconds, double now) {
    double wait = seconds - now;
    return wait < 1 ? "now" : moment(seconds, wait < 2 * MINUTE_SECONDS ? SECOND : MINUTE);
  }

  /** A prediction has no hundredths of seconds. */
  private static String rounded(double seconds) {
    return seconds < 2 * MINUTE_SECONDS ? Math.round(seconds) + " s" : Durations.text(seconds);
  }

  /** {@code 15:30:02, 2.00 min ago}. */
  static String ago(double seconds, double now) {
    return "%s, %s ago".formatted(second(seconds), Durations.text(Math.max(0, now - seconds)));
  }

  private static String moment(double seconds, DateTimeFormatter form) {
    if (Double.isNaN(seconds)) {
      return "-";
    }
    ZonedDateTime time =
        Instant.ofEpochMilli(Math.round(1000 * seconds)).atZone(ZoneId.systemDefault());
    boolean today = time.toLocalDate().equals(LocalDate.now(ZoneId.systemDefault()));
    return (today ? "" : DAY.format(time)) + form.format(time);
  }
}
