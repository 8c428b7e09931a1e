package io.ringmaster.experiments.doubling;

import java.util.Locale;

/** How dense jobs come. */
public enum Contention {
  EXTREME(250, 206),
  MODERATE(500, 114),
  NONE(1000, 44);

  private final double gapSeconds;
  private final int jobs;

  Contention(double gapSeconds, int jobs) {
    this.gapSeconds = gapSeconds;
    this.jobs = jobs;
  }

  /** Mean time between two arrivals. */
  public double gapSeconds() {
    return gapSeconds;
  }

  int jobs() {
    return jobs;
  }

  /** As rows name it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
