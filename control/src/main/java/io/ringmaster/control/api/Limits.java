package io.ringmaster.control.api;

import java.util.EnumMap;
import java.util.Map;

/**
 * How much one may ask for.
 *
 * @param set those that are not the usual ones
 */
public record Limits(Map<Limit, Double> set) {
  public Limits {
    set = Map.copyOf(set);
    set.forEach(Limits::check);
  }

  private static void check(Limit limit, double value) {
    if (!limit.allows(value)) {
      throw new IllegalArgumentException(
          "%s: %s is not %s".formatted(limit.key(), value, limit.expected()));
    }
  }

  public static Limits usual() {
    return new Limits(Map.of());
  }

  public Limits with(Limit limit, double value) {
    Map<Limit, Double> more = new EnumMap<>(Limit.class);
    more.putAll(set);
    more.put(limit, value);
    return new Limits(more);
  }

  public double number(Limit limit) {
    return set.getOrDefault(limit, limit.usual());
  }

  public int whole(Limit limit) {
    return (int) Math.min(Integer.MAX_VALUE, number(limit));
  }

  public long bytes(Limit limit) {
    return (long) number(limit);
  }
}
