package io.ringmaster.cli.live;

import io.ringmaster.control.api.Limit;
import io.ringmaster.control.api.Limits;
import io.ringmaster.workload.YamlMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** The section {@code limits} of a server's file: docs/limits.md. */
final class LimitsSection {
  static final String KEY = "limits";

  private LimitsSection() {}

  static Limits of(Path file, YamlMap map) {
    if (!map.has(KEY)) {
      return Limits.usual();
    }
    YamlMap section =
        new YamlMap(
            file.toString(),
            map.required(KEY),
            KEY,
            Arrays.stream(Limit.values()).map(Limit::key).toList());
    Map<Limit, Double> set = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      if (section.has(limit.key())) {
        set.put(limit, section.number(limit.key(), limit.usual(), limit.expected(), limit::allows));
      }
    }
    Limits limits = new Limits(set);
    atMost(section, limits, Limit.CONNECTIONS_PER_ADDRESS, Limit.CONNECTIONS);
    atMost(section, limits, Limit.BODY_BYTES, Limit.USER_BYTES_IN_FLIGHT);
    atMost(section, limits, Limit.USER_BYTES_IN_FLIGHT, Limit.BYTES_IN_FLIGHT);
    atMost(section, limits, Limit.PRIORITY, Limit.ADMIN_PRIORITY);
    atMost(section, limits, Limit.GRACE_S, Limit.ADMIN_GRACE_S);
    return limits;
  }

  /** What one may have cannot be more than what all may. */
  private static void atMost(YamlMap section, Limits limits, Limit less, Limit more) {
    if (limits.number(less) > limits.number(more)) {
      throw section.bad(
          section.has(less.key()) ? less.key() : more.key(),
          "%s: %s is more than %s, %s; change one of the two"
              .formatted(
                  less.key(),
                  Limit.text(limits.number(less)),
                  more.key(),
                  Limit.text(limits.number(more))));
    }
  }
}
