package io.ringmaster.control.api;

import io.ringmaster.testing.Shape;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The description as served, and a check of values against its schemas: of what they use. */
final class OpenApiFile {
  private static final List<String> KEYWORDS =
      List.of(
          "type",
          "properties",
          "required",
          "enum",
          "items",
          "additionalProperties",
          "minimum",
          "maximum",
          "maxLength",
          "pattern",
          "default",
          "description",
          "$ref");

  private final Map<?, ?> root;

  OpenApiFile(String text) {
    root = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
  }

  Map<?, ?> paths() {
    return map(root.get("paths"));
  }

  static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  /** An operation, or an empty mapping. */
  Map<?, ?> operation(String method, String path) {
    return map(map(paths().get(path)).get(method.toLowerCase(Locale.ROOT)));
  }

  /** Names of the parameters of an operation that are in a place: path, query or header. */
  List<String> parameters(String method, String path, String place) {
    List<Object> all = new ArrayList<>(list(map(paths().get(path)).get("parameters")));
    all.addAll(list(operation(method, path).get("parameters")));
    List<String> names = new ArrayList<>();
    for (Object parameter : all) {
      Map<?, ?> resolved = resolve(map(parameter));
      if (place.equals(resolved.get("in"))) {
        names.add(String.valueOf(resolved.get("name")));
      }
    }
    return names;
  }

  /** What is said of an answer with this status, or an empty mapping. */
  Map<?, ?> response(String method, String path, int status) {
    return resolve(map(map(operation(method, path).get("responses")).get(String.valueOf(status))));
  }

  Map<?, ?> schema(String name) {
    return map(map(map(root.get("components")).get("schemas")).get(name));
  }

  /** What a schema describes. */
  Shape shape(String name) {
    Map<?, ?> schema = schema(name);
    if (schema.isEmpty()) {
      throw new AssertionError("openapi.yaml has no schema " + name);
    }
    return shape(schema);
  }

  private Shape shape(Map<?, ?> given) {
    Map<?, ?> schema = resolve(given);
    List<?> types =
        schema.get("type") instanceof List<?> several
            ? several
            : List.of(String.valueOf(schema.get("type")));
    Object first = types.getFirst();
    Shape shape =
        first.equals("array")
            ? new Shape.ListOf(shape(map(schema.get("items"))))
            : first.equals("object") ? object(schema) : new Shape.Plain(String.valueOf(first));
    return types.contains("null") ? new Shape.OrNull(shape) : shape;
  }

  private Shape object(Map<?, ?> schema) {
    if (schema.get("additionalProperties") instanceof Map<?, ?> others) {
      return new Shape.MapOf(shape(others));
    }
    Map<String, Shape> fields = new LinkedHashMap<>();
    map(schema.get("properties"))
        .forEach((name, property) -> {
          Shape shape = shape(map(property));
          boolean required = list(schema.get("required")).contains(name);
          fields.put(String.valueOf(name), required ? shape : new Shape.OrAbsent(shape));
        });
    return new Shape.Fields(fields);
  }

  private Map<?, ?> resolve(Map<?, ?> value) {
    if (!(value.get("$ref") instanceof String reference)) {
      return value;
    }
    Object at = root;
    for (String name : reference.substring(2).split("/", -1)) {
      at = Objects.requireNonNull(map(at).get(name), reference);
    }
    return map(at);
  }

  /** What is wrong with a value. */
  List<String> wrong(@Nullable Object value, @Nullable Object schema) {
    List<String> wrong = new ArrayList<>();
    check("$", value, map(schema), wrong);
    return wrong;
  }

  private void check(String where, @Nullable Object value, Map<?, ?> given, List<String> wrong) {
    Map<?, ?> schema = resolve(given);
    for (Object key : schema.keySet()) {
      if (!KEYWORDS.contains(String.valueOf(key))) {
        wrong.add("%s: the check does not know the keyword %s".formatted(where, key));
      }
    }
    List<?> types =
        schema.get("type") instanceof List<?> several
            ? several
            : List.of(String.valueOf(schema.get("type")));
    if (types.stream().noneMatch(type -> is(value, String.valueOf(type)))) {
      wrong.add("%s: %s is not of type %s".formatted(where, value, types));
      return;
    }
    if (schema.get("enum") instanceof List<?> values && !values.contains(value)) {
      wrong.add("%s: %s is not one of %s".formatted(where, value, values));
    }
    if (value instanceof Map<?, ?> map) {
      checkMap(where, map, schema, wrong);
    }
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        check(where + "[" + i + "]", list.get(i), map(schema.get("items")), wrong);
      }
    }
  }

  private void checkMap(String where, Map<?, ?> value, Map<?, ?> schema, List<String> wrong) {
    Map<?, ?> properties = map(schema.get("properties"));
    for (Object name : list(schema.get("required"))) {
      if (!value.containsKey(name)) {
        wrong.add("%s: %s is missing".formatted(where, name));
      }
    }
    for (Map.Entry<?, ?> entry : value.entrySet()) {
      String inner = where + "." + entry.getKey();
      if (properties.containsKey(entry.getKey())) {
        check(inner, entry.getValue(), map(properties.get(entry.getKey())), wrong);
      } else if (schema.get("additionalProperties") instanceof Map<?, ?> others) {
        check(inner, entry.getValue(), others, wrong);
      } else {
        wrong.add("%s is not in the description".formatted(inner));
      }
    }
  }

  private static boolean is(@Nullable Object value, String type) {
    return switch (type) {
      case "null" -> value == null;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "integer" ->
          value instanceof Integer || value instanceof Long || value instanceof BigInteger;
      case "number" -> value instanceof Number;
      case "array" -> value instanceof List;
      case "object" -> value instanceof Map;
      default -> false;
    };
  }
}
