package io.ringmaster.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How fast a job computes on each kind of GPU. A speed of 1 is that of which its model's profile or
 * its duration tells; a kind that is not named has that.
 */
public record KindSpeeds(SortedMap<String, Double> byKind) {
  /** The same on all. */
  public static final KindSpeeds NONE = new KindSpeeds(new TreeMap<>());

  public static final double LEAST = 1e-3;
  public static final double MOST = 1e3;

  public KindSpeeds {
    byKind = Collections.unmodifiableSortedMap(new TreeMap<>(byKind));
  }

  /** Reads such as {@code a100:1|v100:0.45}. */
  public static KindSpeeds parse(String text) {
    SortedMap<String, Double> speeds = new TreeMap<>();
    for (String part : text.split("\\|", -1)) {
      int colon = part.lastIndexOf(':');
      double speed = colon < 1 ? Double.NaN : number(part.substring(colon + 1));
      if (!(speed >= LEAST && speed <= MOST)
          || speeds.put(part.substring(0, colon).strip(), speed) != null) {
        throw new IllegalArgumentException(
            "expected each kind once with a speed from 0.001 to 1000, such as a100:1|v100:0.45");
      }
    }
    return new KindSpeeds(speeds);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** As {@link #parse} reads it, to the last bit. */
  public String text() {
    return byKind.entrySet().stream()
        .map(each -> each.getKey() + ":" + shown(each.getValue()))
        .collect(Collectors.joining("|"));
  }

  private static String shown(double speed) {
    return speed == Math.rint(speed) ? Long.toString((long) speed) : Double.toString(speed);
  }

  /** By hand: a record's own way costs milliseconds at the first use, in every run. */
  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof KindSpeeds that && byKind.equals(that.byKind));
  }

  @Override
  public int hashCode() {
    return byKind.hashCode();
  }

  public boolean isNone() {
    return byKind.isEmpty();
  }

  public double of(String kind) {
    return byKind.getOrDefault(kind, 1.0);
  }
}
