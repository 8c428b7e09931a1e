package io.ringmaster.workload.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code scontrol show ... --oneliner} prints: a thing a line, as {@code Key=value ...}. */
final class SlurmLines {
  private static final Pattern KEY = Pattern.compile("(?:^| )([A-Za-z][A-Za-z0-9/:_]*)=");

  private SlurmLines() {}

  /**
   * The values of each line by key. A value may hold blanks, and a person's words such as a node's
   * reason may look like keys: they come last, so the first of each key counts.
   */
  static List<Map<String, String>> of(String text) {
    return text.lines().filter(line -> !line.isBlank()).map(SlurmLines::values).toList();
  }

  private static Map<String, String> values(String line) {
    Map<String, String> values = new LinkedHashMap<>();
    Matcher key = KEY.matcher(line);
    String name = "";
    int from = 0;
    while (key.find()) {
      if (!name.isEmpty()) {
        values.putIfAbsent(name, value(line.substring(from, key.start())));
      }
      name = key.group(1);
      from = key.end();
    }
    if (!name.isEmpty()) {
      values.putIfAbsent(name, value(line.substring(from)));
    }
    return values;
  }

  private static String value(String text) {
    String stripped = text.strip();
    return stripped.equals("(null)") || stripped.equals("N/A") ? "" : stripped;
  }

  /** What {@code scontrol show config} prints: {@code Key = value}, a line each. */
  static Map<String, String> settings(String text) {
    Map<String, String> settings = new LinkedHashMap<>();
    text.lines()
        .filter(line -> line.indexOf(" = ") > 0)
        .forEach(line -> {
          int equals = line.indexOf(" = ");
          settings.putIfAbsent(
              line.substring(0, equals).strip(), value(line.substring(equals + 3)));
        });
    return settings;
  }
}
