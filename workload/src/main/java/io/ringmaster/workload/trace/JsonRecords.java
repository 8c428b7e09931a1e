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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Streams JSON: one record after the other, as maps, lists, texts and numbers. */
final class JsonRecords {
  private JsonRecords() {}

  /** The objects of a file that is one array. A record that cannot be used is dropped. */
  static void each(Path file, TraceSink out, Consumer<Map<String, @Nullable Object>> reader) {
    read(
        file,
        out::progress,
        parser -> {
          if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw new BadInput(
                "%s:1: expected a JSON array of jobs, '[' at its beginning".formatted(file));
          }
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            long line = parser.currentTokenLocation().getLineNr();
            Map<String, @Nullable Object> record = map(value(parser));
            out.row(file, line);
            try {
              reader.accept(record);
            } catch (Unusable e) {
              out.drop(e.reason());
            }
          }
          if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw new BadInput(
                "%s:%d: expected a job, '{' at its beginning"
                    .formatted(file, parser.currentTokenLocation().getLineNr()));
          }
        });
  }

  /** The one object that a file is, whole: for tables beside a trace. */
  static Map<String, @Nullable Object> document(Path file, JobsFile.Progress progress) {
    List<Map<String, @Nullable Object>> found = new ArrayList<>();
    read(
        file,
        progress,
        parser -> {
          if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new BadInput("%s:1: expected a JSON object, '{'".formatted(file));
          }
          found.add(map(value(parser)));
        });
    return found.getFirst();
  }

  private static void read(Path file, JobsFile.Progress progress, Consumer<JsonParser> task) {
    try (InputStream text = Inputs.open(file, progress);
        JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      task.accept(parser);
    } catch (JacksonIOException e) {
      throw new BadInput(
          "%s: cannot read: %s; is the file damaged?"
              .formatted(file, Inputs.shown(e.getOriginalMessage())));
    } catch (JacksonException e) {
      long line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
      throw new BadInput(
          "%s:%d: not JSON: %s".formatted(file, line, Inputs.shown(e.getOriginalMessage())));
    } catch (IOException e) {
      throw new BadInput("%s: cannot read: %s".formatted(file, AtomicFile.reason(e)));
    }
  }

  /** The value that starts at the present token. */
  private static @Nullable Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, value(parser));
        }
        yield map;
      }
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

  /** An object's members; none if it is something else. */
  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  /** An array's values; none if it is something else. */
  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  /** A text or a number as it is written; empty for nothing, and for Python's {@code None}. */
  static String text(@Nullable Object value) {
    return value instanceof String text && !text.equals("None") ? text.strip() : "";
  }
}
