package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.JobsFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON objects of a file, one held at a time, and of it only the members that are wanted.
 *
 * <p>A value is found by its path. What is not there, or is something else than asked for, is empty
 * or not a number.
 */
record JsonItems(Map<String, @Nullable Object> members) {
  /** Takes an object of an array and the line that it begins in. */
  @FunctionalInterface
  interface Reader {
    void read(JsonItems item, long line);
  }

  /**
   * Hands on each value of an array that is a member of the one object of a file, as commands print
   * lists: {@code {"kind": "List", "items": [...]}}. One that is no object has no members. What
   * several runs of a command printed one after the other is read too.
   */
  static void each(Path file, InputStream text, String array, Set<String> wanted, Reader reader) {
    parse(
        file,
        text,
        parser -> {
          boolean found = false;
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
              boolean here = parser.currentName().equals(array);
              if (parser.nextToken() == JsonToken.START_ARRAY && here) {
                found = true;
                array(parser, wanted, reader);
              } else {
                parser.skipChildren();
              }
            }
          }
          if (parser.currentToken() != null || !found) {
            throw new BadInput(
                "%s:%d: expected a JSON object with an array \"%s\""
                    .formatted(file, parser.currentLocation().getLineNr(), array));
          }
        });
  }

  /** Hands on each value of the array that a file is. */
  static void each(Path file, InputStream text, Reader reader) {
    parse(
        file,
        text,
        parser -> {
          if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw new BadInput(
                "%s:1: expected a JSON array of jobs, '[' at its beginning".formatted(file));
          }
          array(parser, Set.of(), reader);
        });
  }

  /** The one object that a file is, whole: for tables beside a trace. */
  static JsonItems document(Path file, InputStream text) {
    List<JsonItems> found = new ArrayList<>();
    parse(
        file,
        text,
        parser -> {
          if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new BadInput("%s:1: expected a JSON object, '{'".formatted(file));
          }
          found.add(new JsonItems(members(parser, Set.of())));
        });
    return found.getFirst();
  }

  /** Opens a file for one of the above. */
  static <T> T open(Path file, JobsFile.Progress progress, Function<InputStream, T> task) {
    try (InputStream text = Inputs.open(file, progress)) {
      return task.apply(text);
    } catch (IOException e) {
      throw new BadInput("%s: cannot read: %s".formatted(file, AtomicFile.reason(e)));
    }
  }

  /** Of what a client of the place has read already: maps, lists and values. */
  static JsonItems of(Map<?, ?> object) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    object.forEach((name, value) -> members.put(String.valueOf(name), value(value)));
    return new JsonItems(members);
  }

  private static @Nullable Object value(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> object -> of(object);
      case List<?> list -> {
        List<@Nullable Object> values = new ArrayList<>(list.size());
        list.forEach(each -> values.add(value(each)));
        yield values;
      }
      default -> value.toString();
    };
  }

  private static void parse(Path file, InputStream text, Consumer<JsonParser> task) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      task.accept(parser);
    } catch (JacksonIOException e) {
      throw new BadInput(
          "%s: cannot read: %s; is the file damaged?"
              .formatted(file, Inputs.shown(e.getOriginalMessage())));
    } catch (JacksonException e) {
      long line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
      throw new BadInput(
          "%s:%d: not JSON: %s".formatted(file, line, Inputs.shown(e.getOriginalMessage())));
    }
  }

  private static void array(JsonParser parser, Set<String> wanted, Reader reader) {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      long line = parser.currentTokenLocation().getLineNr();
      boolean object = parser.currentToken() == JsonToken.START_OBJECT;
      if (!object) {
        parser.skipChildren();
      }
      reader.read(new JsonItems(object ? members(parser, wanted) : Map.of()), line);
    }
  }

  /** The members of the object that starts here; all if none is named. */
  private static Map<String, @Nullable Object> members(JsonParser parser, Set<String> wanted) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (wanted.isEmpty() || wanted.contains(name)) {
        members.put(name, value(parser));
      } else {
        parser.skipChildren();
      }
    }
    return members;
  }

  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> new JsonItems(members(parser, Set.of()));
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NULL -> null;
      default -> parser.getString();
    };
  }

  private @Nullable Object at(String... path) {
    @Nullable Object value = this;
    for (String name : path) {
      value = value instanceof JsonItems object ? object.members.get(name) : null;
    }
    return value;
  }

  /** A text, or a number as it is written. */
  String text(String... path) {
    return at(path) instanceof String text ? text.strip() : "";
  }

  /** A number, or NaN. */
  double number(String... path) {
    String text = text(path);
    try {
      return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  JsonItems object(String... path) {
    return at(path) instanceof JsonItems object ? object : new JsonItems(Map.of());
  }

  List<JsonItems> objects(String... path) {
    List<JsonItems> objects = new ArrayList<>();
    if (at(path) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof JsonItems object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }

  /** The texts of an array, or the one text that stands there instead. */
  List<String> texts(String... path) {
    List<String> texts = new ArrayList<>();
    switch (at(path)) {
      case String text -> texts.add(text);
      case List<?> list -> {
        for (Object each : list) {
          if (each instanceof String text) {
            texts.add(text);
          }
        }
      }
      case null, default -> {
        // Nothing is there.
      }
    }
    return texts;
  }
}
