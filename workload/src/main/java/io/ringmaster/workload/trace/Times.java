package io.ringmaster.workload.trace;

import io.ringmaster.workload.Numbers;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * Times as traces write them: plain seconds on some clock, or a date with or without a time of day
 * and a zone. A date without a zone counts as UTC: only differences matter.
 */
final class Times {
  private static final int DATE_LENGTH = 10;

  private Times() {}

  /** Seconds, NaN if the text is no time. */
  static double seconds(String text) {
    if (!isDate(text)) {
      return Numbers.parse(text);
    }
    try {
      return text.length() == DATE_LENGTH
          ? LocalDate.parse(text).toEpochDay() * 86_400.0
          : dateTime(text.substring(0, DATE_LENGTH) + "T" + text.substring(DATE_LENGTH + 1));
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }

  /** Whether it is written as a date rather than a number. */
  static boolean isDate(String text) {
    return text.length() >= DATE_LENGTH && text.charAt(4) == '-' && text.charAt(7) == '-';
  }

  private static double dateTime(String text) {
    boolean zoned = text.endsWith("Z") || text.indexOf('+') > 0 || text.lastIndexOf('-') > 7;
    Instant time =
        zoned
            ? OffsetDateTime.parse(text).toInstant()
            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    return time.getEpochSecond() + time.getNano() * 1e-9;
  }
}
