package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request that found its route and whose caller is known. Reads and checks its parts.
 *
 * @param variables the open segments of the path
 */
record RoutedRequest(Request raw, Caller caller, Map<String, String> variables) {
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");

  String variable(String name) {
    return variables.getOrDefault(name, "");
  }

  long id() {
    String text = variable("id");
    if (!WHOLE.matcher(text).matches() || Long.parseLong(text) < 1) {
      throw new BadInput(
          "id: '%s' is not an id; expected a whole number from 1".formatted(JobSpecs.shown(text)));
    }
    return Long.parseLong(text);
  }

  String parameter(String name, String fallback) {
    return raw.query().getOrDefault(name, fallback);
  }

  long parameter(String name, long least, long greatest, long fallback) {
    String text = raw.query().get(name);
    return text == null ? fallback : whole(name, text, least, greatest);
  }

  static long whole(String name, String text, long least, long greatest) {
    if (WHOLE.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= least && value <= greatest) {
        return value;
      }
    }
    throw new BadInput(
        "%s: '%s' is not a whole number from %d%s"
            .formatted(
                name,
                JobSpecs.shown(text),
                least,
                greatest == Long.MAX_VALUE ? "" : " to " + greatest));
  }

  @Nullable Object body() {
    if (raw.body().isBlank()) {
      throw new BadInput("the body is empty; expected JSON");
    }
    Object body = Json.parse(raw.body());
    checkTexts(body);
    return body;
  }

  /** The fields of a body that is a mapping of known ones; none for an empty body. */
  Map<?, ?> fields(List<String> known) {
    if (raw.body().isBlank()) {
      return Map.of();
    }
    Object body = body();
    if (!(body instanceof Map<?, ?> map)) {
      throw new BadInput(
          "the body is not a mapping; expected "
              + (known.isEmpty() ? "{}" : "one of " + String.join(", ", known)));
    }
    for (Object key : map.keySet()) {
      if (!known.contains(String.valueOf(key))) {
        throw new BadInput(
            "unknown field '%s'; %s"
                .formatted(
                    JobSpecs.shown(String.valueOf(key)),
                    known.isEmpty() ? "there is none" : "known: " + String.join(", ", known)));
      }
    }
    return map;
  }

  static BadInput wrong(String field, @Nullable Object value, String expected) {
    return new BadInput(
        value == null
            ? "%s: is missing; expected %s".formatted(field, expected)
            : "%s: '%s' is not %s"
                .formatted(field, JobSpecs.shown(String.valueOf(value)), expected));
  }

  /**
   * Neither databases nor processes take NULs or halves of surrogate pairs. JSON can hold both, as
   * escapes.
   */
  private static void checkTexts(@Nullable Object value) {
    switch (value) {
      case String text -> {
        if (!isPlain(text)) {
          throw new BadInput(
              "'%s' holds a NUL or half of a surrogate pair; expected plain text"
                  .formatted(JobSpecs.shown(text)));
        }
      }
      case Map<?, ?> map ->
          map.forEach((key, inner) -> {
            checkTexts(key);
            checkTexts(inner);
          });
      case List<?> list -> list.forEach(RoutedRequest::checkTexts);
      case null, default -> {}
    }
  }

  /** Texts may be a megabyte long: nothing is made for each letter. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isPair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (c == 0 || (Character.isSurrogate(c) && !isPair)) {
        return false;
      }
      i += isPair ? 1 : 0;
    }
    return true;
  }
}
