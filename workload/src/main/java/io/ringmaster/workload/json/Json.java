package io.ringmaster.workload.json;

import io.ringmaster.model.BadInput;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * JSON in and out. What is read becomes maps, lists, texts, numbers and flags. What is written are
 * {@linkplain RecordFields records}, or the same. The same values give the same bytes.
 */
public final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Json() {}

  /** Every digit of a number: what servers say. One line. */
  public static String text(@Nullable Object value) {
    return written(ObjectWriteContext.empty(), value, JsonWriter.Digits.ALL);
  }

  /** A document for people and programs: indented, 15 digits, ending in a line feed. */
  public static String document(Record value) {
    DefaultIndenter indent = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(indent).withArrayIndenter(indent);
    ObjectWriteContext context =
        new ObjectWriteContext.Base() {
          @Override
          public PrettyPrinter getPrettyPrinter() {
            return printer;
          }

          @Override
          public boolean hasPrettyPrinter() {
            return true;
          }
        };
    return written(context, value, JsonWriter.Digits.FIFTEEN) + "\n";
  }

  /** The same without spaces. */
  public static String compact(Object value) {
    return written(ObjectWriteContext.empty(), value, JsonWriter.Digits.FIFTEEN);
  }

  private static String written(
      ObjectWriteContext context, @Nullable Object value, JsonWriter.Digits digits) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(context, text)) {
      new JsonWriter(out, digits).write(value);
    }
    return text.toString();
  }

  /**
   * What a text says.
   *
   * @throws BadInput with one line that names the line and column
   */
  public static @Nullable Object parse(String text) {
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      if (in.nextToken() == null) {
        throw notJson(1, 1, "there is nothing");
      }
      Object value = value(in);
      if (in.nextToken() != null) {
        throw notJson(
            in.currentTokenLocation().getLineNr(),
            in.currentTokenLocation().getColumnNr(),
            "something follows the value");
      }
      return value;
    } catch (JacksonException e) {
      throw notJson(
          e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
          e.getLocation() == null ? 0 : e.getLocation().getColumnNr(),
          e.getOriginalMessage().lines().findFirst().orElse(""));
    }
  }

  private static BadInput notJson(int line, int column, String why) {
    return new BadInput("not JSON: line %d, column %d: %s".formatted(line, column, why));
  }

  private static @Nullable Object value(JsonParser in) {
    return switch (in.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
          String name = in.currentName();
          in.nextToken();
          map.put(name, value(in));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(in));
        }
        yield list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> in.getString();
    };
  }
}
