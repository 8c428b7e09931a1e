package io.ringmaster.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads a text that must be exactly one JSON object. */
public final class JsonText {
  private JsonText() {}

  public static Map<String, @Nullable Object> object(String text) {
    try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new AssertionError("no JSON object: " + text);
      }
      Map<String, @Nullable Object> object = members(in);
      if (in.nextToken() != null) {
        throw new AssertionError("more than one JSON document: " + text);
      }
      return object;
    }
  }

  private static Map<String, @Nullable Object> members(JsonParser in) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      if (members.containsKey(name)) {
        throw new AssertionError("twice in one object: " + name);
      }
      members.put(name, value(in));
    }
    return members;
  }

  private static @Nullable Object value(JsonParser in) {
    return switch (in.currentToken()) {
      case START_OBJECT -> members(in);
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(in));
        }
        yield list;
      }
      case VALUE_STRING -> in.getString();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("unexpected " + in.currentToken());
    };
  }
}
