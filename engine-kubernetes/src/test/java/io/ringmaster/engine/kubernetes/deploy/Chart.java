package io.ringmaster.engine.kubernetes.deploy;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Renders our chart. It keeps to what this understands: values, and conditions that have a line of
 * their own. Anything else is refused, so that what is checked here is what Helm makes.
 */
final class Chart {
  private static final Path FOLDER = Path.of("../deploy/helm/ringmaster");
  private static final Pattern CONDITION =
      Pattern.compile("\\{\\{- if (not )?\\.Values\\.([A-Za-z.]+) }}");
  private static final Pattern VALUE =
      Pattern.compile("\\{\\{ \\.(Values|Release)\\.([A-Za-z.]+) }}");

  private final Map<String, String> values = new HashMap<>();

  Chart(Map<String, String> set) throws IOException {
    Map<?, ?> usual =
        Serialization.unmarshal(Files.readString(FOLDER.resolve("values.yaml")), Map.class);
    flatten("Values", usual);
    set.forEach((name, value) -> {
      if (values.put("Values." + name, value) == null) {
        throw new IllegalArgumentException(name + " is no value of the chart");
      }
    });
    values.put("Release.Namespace", "ringmaster");
  }

  private void flatten(String path, Map<?, ?> map) {
    map.forEach((key, value) -> {
      String name = path + "." + key;
      if (value instanceof Map<?, ?> inner) {
        flatten(name, inner);
      } else {
        values.put(name, String.valueOf(value));
      }
    });
  }

  String render(String template) throws IOException {
    StringBuilder text = new StringBuilder();
    Deque<Boolean> shown = new ArrayDeque<>();
    for (String line : Files.readAllLines(FOLDER.resolve("templates").resolve(template))) {
      Matcher condition = CONDITION.matcher(line);
      if (condition.matches()) {
        String value = value("Values." + condition.group(2));
        boolean isSet = !value.isEmpty() && !value.equals("false");
        shown.push(isSet == (condition.group(1) == null));
      } else if (line.equals("{{- end }}")) {
        shown.pop();
      } else if (!shown.contains(false)) {
        text.append(
            VALUE
                .matcher(line)
                .replaceAll(
                    each -> Matcher.quoteReplacement(value(each.group(1) + "." + each.group(2)))));
        text.append('\n');
      }
    }
    if (text.indexOf("{{") >= 0 || !shown.isEmpty()) {
      throw new IllegalArgumentException(template + " has more than values and conditions");
    }
    return text.toString();
  }

  private String value(String name) {
    return Objects.requireNonNull(values.get(name), () -> "no value " + name);
  }
}
