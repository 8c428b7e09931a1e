package io.ringmaster.workload.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes values. What is not a number is null. Arrays of numbers are columns of a page: written to
 * the third decimal.
 */
final class JsonWriter {
  private static final MathContext FIFTEEN = new MathContext(15);

  /** How many digits of a number are written. */
  enum Digits {
    ALL,
    /** More are noise of the arithmetic. */
    FIFTEEN
  }

  private final JsonGenerator out;
  private final Digits digits;

  JsonWriter(JsonGenerator out, Digits digits) {
    this.out = out;
    this.digits = digits;
  }

  void write(@Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case Record data -> {
        out.writeStartObject();
        fields(data);
        out.writeEndObject();
      }
      case Map<?, ?> map -> {
        out.writeStartObject();
        members(map);
        out.writeEndObject();
      }
      case Collection<?> list -> {
        out.writeStartArray();
        list.forEach(this::write);
        out.writeEndArray();
      }
      case double[] column -> {
        out.writeStartArray();
        for (double number : column) {
          thousandths(number);
        }
        out.writeEndArray();
      }
      case int[] column -> out.writeArray(column, 0, column.length);
      case Double number when !Double.isFinite(number) -> out.writeNull();
      case Double number when digits == Digits.ALL -> out.writeNumber(number);
      case Double number -> out.writeNumber(plain(number));
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Boolean flag -> out.writeBoolean(flag);
      default -> out.writeString(value.toString());
    }
  }

  private void fields(Record data) {
    for (RecordFields.Field field : RecordFields.of(data.getClass())) {
      Object value = field.of(data);
      if (value instanceof Optional<?> optional) {
        if (optional.isEmpty()) {
          continue;
        }
        value = optional.get();
      }
      if (field.isInline() && value instanceof Map<?, ?> map) {
        members(map);
      } else {
        out.writeName(field.name());
        write(value);
      }
    }
  }

  private void members(Map<?, ?> map) {
    map.forEach((name, member) -> {
      out.writeName(String.valueOf(name));
      write(member);
    });
  }

  private void thousandths(double number) {
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

  private static BigDecimal plain(double number) {
    BigDecimal rounded = new BigDecimal(number).round(FIFTEEN).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }
}
