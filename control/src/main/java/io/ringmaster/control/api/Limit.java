package io.ringmaster.control.api;

import java.util.Locale;

/**
 * What is limited, by its name in the section {@code limits} of a server's file. docs/limits.md has
 * the same table; a test compares them.
 */
public enum Limit {
  REQUESTS_PER_SECOND(5000, 1e-3, 1e9),
  ANONYMOUS_REQUESTS_PER_SECOND(500, 1e-3, 1e9),
  CONNECTIONS(2000, 10, 1_000_000),
  CONNECTIONS_PER_ADDRESS(1000, 1, 1_000_000),
  IDLE_S(60, 1, 3600),
  BODY_BYTES(1 << 20, 1000, 1 << 30),
  BODY_S(20, 0.01, 3600),
  BYTES_IN_FLIGHT(64 << 20, 1 << 16, 1L << 40),
  USER_BYTES_IN_FLIGHT(16 << 20, 1 << 16, 1L << 40),
  ANSWER_S(30, 0.01, 3600),
  LOG_BYTES(1 << 20, 1, 1 << 28),
  LIST_BYTES(4 << 20, 1, 1 << 30),
  LISTS(8, 1, 1000),
  USER_LISTS(2, 1, 1000),
  FILE_READS(32, 1, 1000),
  USER_FILE_READS(4, 1, 1000),
  FILE_S(10, 0.01, 600),
  EXPLAIN_S(0.5, 0.01, 600),
  LISTENERS(200, 1, 100_000),
  USER_LISTENERS(20, 1, 100_000),
  HEARTBEAT_S(15, 0.01, 60),
  PLANE_SILENT_S(30, 1, 86_400),
  ENGINE_SILENT_S(60, 1, 86_400),
  STORE_SILENT_S(30, 1, 86_400),
  OPEN_JOBS(20_000, 1, 10_000_000),
  SPEC_BYTES(64_000_000, 1000, 1L << 40),
  PRIORITY(100, 0, 1000),
  ADMIN_PRIORITY(1000, 0, 1000),
  GRACE_S(600, 0, 86_400),
  ADMIN_GRACE_S(86_400, 0, 86_400);

  private final double usual;
  private final double least;
  private final double most;

  Limit(double usual, double least, double most) {
    this.usual = usual;
    this.least = least;
    this.most = most;
  }

  /** As in a file. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Unless told otherwise. */
  public double usual() {
    return usual;
  }

  /** Whether only whole numbers make sense: all but times and rates. */
  public boolean isWhole() {
    return !name().endsWith("_S") && !name().endsWith("_PER_SECOND");
  }

  public boolean allows(double value) {
    return value >= least && value <= most && (!isWhole() || value == Math.rint(value));
  }

  public String expected() {
    return "%s from %s to %s"
        .formatted(isWhole() ? "a whole number" : "a number", text(least), text(most));
  }

  /** A number as people write it. */
  public static String text(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
