package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object of the server's. What is missing or null reads as empty, 0 or NaN. */
public record Fields(@Inline Map<String, @Nullable Object> map) {

  static Fields of(@Nullable Object value) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> given) {
      given.forEach((key, member) -> map.put(String.valueOf(key), member));
    }
    return new Fields(map);
  }

  public boolean has(String key) {
    return map.get(key) != null;
  }

  /** For people: nothing in it steers a terminal. */
  public String text(String key) {
    Object value = map.get(key);
    return value == null ? "" : Shown.line(value.toString());
  }

  public long whole(String key) {
    return map.get(key) instanceof Number number ? number.longValue() : 0;
  }

  public double number(String key) {
    return map.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  boolean flag(String key) {
    return Boolean.TRUE.equals(map.get(key));
  }

  Fields object(String key) {
    return of(map.get(key));
  }

  public List<Fields> objects(String key) {
    return map.get(key) instanceof List<?> list
        ? list.stream().map(Fields::of).toList()
        : List.of();
  }

  /** For people, too. */
  List<String> texts(String key) {
    return rawTexts(key).stream().map(Shown::line).toList();
  }

  List<String> rawTexts(String key) {
    return map.get(key) instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of();
  }
}
