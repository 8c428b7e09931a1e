package io.ringmaster.advise;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Writes moments of a queue: by the clock where its times are dates, else counted from now. */
public record Clock(double nowSeconds, boolean hasCalendar, ZoneId zone) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);
  private static final int MINUTE_SECONDS = 60;
  private static final int WEEK_DAYS = 6;
  private static final double DAYS_FROM_SECONDS = 2 * 86_400;

  public static Clock of(Queue queue, ZoneId zone) {
    return new Clock(queue.nowSeconds(), queue.hasCalendar(), zone);
  }

  /** A moment so many seconds after now, to the minute. */
  public String text(double seconds) {
    if (seconds < MINUTE_SECONDS / 2.0) {
      return "now";
    }
    if (!hasCalendar) {
      return "in " + span(seconds);
    }
    ZonedDateTime now = at(0);
    ZonedDateTime then = at(seconds + MINUTE_SECONDS / 2.0);
    long days = ChronoUnit.DAYS.between(now.toLocalDate(), then.toLocalDate());
    return then.format(days == 0 ? TIME : days <= WEEK_DAYS ? DAY : DATE);
  }

  /** From one moment to another, as an answer to when. */
  public String between(double lowSeconds, double highSeconds) {
    String low = text(lowSeconds);
    String high = text(highSeconds);
    return low.equals(high) ? low : low + " - " + high;
  }

  /** The present, as a person reads it. */
  public String now() {
    return hasCalendar
        ? "%s (%s)".formatted(at(0).format(DATE), zone.getId())
        : "%.0f s".formatted(nowSeconds);
  }

  private ZonedDateTime at(double seconds) {
    return Instant.ofEpochMilli((long) ((nowSeconds + seconds) * 1000)).atZone(zone);
  }

  /** A length of time, in words that fit into a sentence. */
  public static String span(double seconds) {
    if (seconds < 2 * 3600) {
      return "%.0f min".formatted(Math.max(1, seconds / 60));
    }
    return seconds < DAYS_FROM_SECONDS
        ? String.format(Locale.ROOT, "%.1f h", seconds / 3600)
        : String.format(Locale.ROOT, "%.1f d", seconds / 86_400);
  }
}
