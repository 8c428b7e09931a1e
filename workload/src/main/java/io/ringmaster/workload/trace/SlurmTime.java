package io.ringmaster.workload.trace;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Times and spans as Slurm's commands print them.
 *
 * <p>A time is {@code 2026-11-02T10:00:00} on the site's clock, or with {@code
 * SLURM_TIME_FORMAT=%s} seconds since 1970, which is the safer of the two: when clocks are set back
 * in autumn, an hour of local time comes twice. It is then read as the first of the two, unless
 * that would be before something that came earlier in the same row. Local times that clocks skip in
 * spring are moved on by what was skipped.
 */
record SlurmTime(ZoneId zone) {

  /** What is not known: it did not happen yet, or never. */
  static final long UNKNOWN = Long.MIN_VALUE;

  /** Beyond this a number is no time in seconds; it may be in milliseconds. The year is 5138. */
  private static final long LATEST = 100_000_000_000L;

  private static final int DAY_SECONDS = 86_400;

  /**
   * Seconds since 1970, or {@link #UNKNOWN}.
   *
   * @param notBefore what came earlier in the same row, or {@link #UNKNOWN}
   * @throws IllegalArgumentException if the text is no time
   */
  long at(String text, long notBefore) {
    if (unknown(text)) {
      return UNKNOWN;
    }
    if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      long seconds = text.length() > 12 ? Long.MAX_VALUE : Long.parseLong(text);
      return seconds == 0 ? UNKNOWN : checked(seconds, text);
    }
    try {
      String iso = text.length() > 10 && text.charAt(10) == ' ' ? withT(text) : text;
      boolean hasOffset = iso.length() > 19;
      return checked(
          hasOffset
              ? OffsetDateTime.parse(iso).toEpochSecond()
              : local(LocalDateTime.parse(iso), notBefore),
          text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** The same for a number, as JSON has it: 0 is what is not known. */
  static long ofEpoch(double seconds) {
    return Double.isFinite(seconds) && seconds > 0 && seconds < LATEST ? (long) seconds : UNKNOWN;
  }

  private static String withT(String text) {
    return text.substring(0, 10) + 'T' + text.substring(11);
  }

  private static long checked(long seconds, String text) {
    if (seconds <= 0 || seconds >= LATEST) {
      throw new IllegalArgumentException(text);
    }
    return seconds;
  }

  private long local(LocalDateTime time, long notBefore) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    for (ZoneOffset offset : offsets) {
      long seconds = time.toEpochSecond(offset);
      if (seconds >= notBefore) {
        return seconds;
      }
    }
    return time.atZone(zone).toEpochSecond();
  }

  private static boolean unknown(String text) {
    return switch (text) {
      case "", "Unknown", "None", "N/A", "INVALID" -> true;
      default -> false;
    };
  }

  /**
   * Seconds of {@code [days-]hours:minutes:seconds}, with or without a fraction, {@code
   * minutes:seconds}, or a plain number of seconds; {@link #UNKNOWN} if there is none.
   *
   * @throws IllegalArgumentException if the text is no span
   */
  static long span(String text) {
    if (unknown(text)) {
      return UNKNOWN;
    }
    int point = text.indexOf('.');
    String whole = point < 0 ? text : text.substring(0, point);
    int dash = whole.indexOf('-');
    long seconds = 0;
    for (String part : whole.substring(dash + 1).split(":", -1)) {
      seconds = seconds * 60 + digits(part, text);
    }
    long days = dash < 0 ? 0 : digits(whole.substring(0, dash), text);
    return days * DAY_SECONDS + seconds;
  }

  private static long digits(String part, String text) {
    if (part.isEmpty() || part.length() > 10 || !part.chars().allMatch(Character::isDigit)) {
      throw new IllegalArgumentException(text);
    }
    return Long.parseLong(part);
  }

  /** A moment as Kubernetes writes it, {@code 2026-11-02T10:00:00Z}. */
  static long ofInstant(String text) {
    try {
      return text.isEmpty() ? UNKNOWN : Instant.parse(text).getEpochSecond();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
