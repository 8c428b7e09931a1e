package io.ringmaster.cli.live;

import io.ringmaster.control.engine.Engine.Kept;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.Units;
import io.ringmaster.workload.YamlMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@code retention:} of the server's file. */
final class RetentionSection {
  private static final String KEY = "retention";
  private static final String HISTORY = "history";
  private static final String NEVER = "never";

  private RetentionSection() {}

  static Retention of(Path file, YamlMap server) {
    if (!server.has(KEY)) {
      return Retention.USUAL;
    }
    List<String> keys = new ArrayList<>(List.of(HISTORY));
    Arrays.stream(Kept.values()).map(Kept::text).forEach(keys::add);
    YamlMap map = new YamlMap(file.toString(), server.required(KEY), KEY, keys);
    Map<Kept, Double> files = new EnumMap<>(Kept.class);
    Retention.USUAL
        .fileSeconds()
        .forEach((kind, usual) -> files.put(kind, age(map, kind.text(), usual)));
    return new Retention(age(map, HISTORY, Retention.USUAL.historySeconds()), files);
  }

  private static double age(YamlMap map, String key, double usual) {
    if (!map.has(key)) {
      return usual;
    }
    String text = map.text(key, NEVER);
    if (text.equals(NEVER)) {
      return Double.POSITIVE_INFINITY;
    }
    try {
      double seconds = Units.seconds(text);
      if (seconds >= 0) {
        return seconds;
      }
    } catch (BadInput _) {
      // Said below.
    }
    throw map.bad(
        key, "%s.%s: '%s' is no age; expected such as 30d, or never".formatted(KEY, key, text));
  }
}
