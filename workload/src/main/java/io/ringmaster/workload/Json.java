package io.ringmaster.workload;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Writes maps, lists, texts, numbers and nulls as JSON. The same values give the same bytes. Arrays
 * of numbers are columns of a page: written to the third decimal, and what is not a number as null.
 */
public final class Json {
  private static final MathContext DIGITS = new MathContext(15);

  private Json() {}

  /** One document, indented, ending in a line feed. */
  public static String document(Map<String, ?> value) {
    DefaultIndenter indent = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(indent).withArrayIndenter(indent);
    ObjectWriteContext context =
        new ObjectWriteContext.Base() {
          @Override
          public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return printer;
          }

          @Override
          public boolean hasPrettyPrinter() {
            return true;
          }
        };
    return text(context, value) + "\n";
  }

  /** One document without spaces. */
  public static String compact(Map<String, ?> value) {
    return text(ObjectWriteContext.empty(), value);
  }

  private static String text(ObjectWriteContext context, Map<String, ?> value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(context, text)) {
      write(out, value);
    }
    return text.toString();
  }

  private static void write(JsonGenerator out, @org.jspecify.annotations.Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case Map<?, ?> map -> {
        out.writeStartObject();
        map.forEach((name, member) -> {
          out.writeName(String.valueOf(name));
          write(out, member);
        });
        out.writeEndObject();
      }
      case List<?> list -> {
        out.writeStartArray();
        list.forEach(member -> write(out, member));
        out.writeEndArray();
      }
      case double[] column -> {
        out.writeStartArray();
        for (double number : column) {
          thousandths(out, number);
        }
        out.writeEndArray();
      }
      case int[] column -> out.writeArray(column, 0, column.length);
      case Double number -> out.writeNumber(plain(number));
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Boolean flag -> out.writeBoolean(flag);
      default -> out.writeString(value.toString());
    }
  }

  private static void thousandths(JsonGenerator out, double number) {
    if (!Double.isFinite(number)) {
      out.writeNull();
      return;
    }
    double scaled = Math.rint(number * 1000);
    if (Math.abs(scaled) >= 1e15) {
      out.writeNumber(number);
    } else if (scaled % 1000 == 0) {
      out.writeNumber((long) scaled / 1000);
    } else {
      out.writeNumber(BigDecimal.valueOf((long) scaled, 3).stripTrailingZeros());
    }
  }

  /** Up to 15 significant digits: more are noise of the arithmetic. */
  private static BigDecimal plain(double number) {
    BigDecimal rounded = new BigDecimal(number).round(DIGITS).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }
}
