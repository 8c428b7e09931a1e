package io.ringmaster.control.json;

import io.ringmaster.model.BadInput;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON as maps, lists, texts, numbers and flags. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  /**
   * What a text says.
   *
   * @throws BadInput with one line that names the line and column
   */
  public static @Nullable Object parse(String text) {
    try {
      return MAPPER.readValue(text, Object.class);
    } catch (JacksonException e) {
      throw new BadInput(
          "not JSON: line %d, column %d: %s"
              .formatted(
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getLocation() == null ? 0 : e.getLocation().getColumnNr(),
                  e.getOriginalMessage().lines().findFirst().orElse("")));
    }
  }

  public static String text(@Nullable Object value) {
    return MAPPER.writeValueAsString(value);
  }
}
