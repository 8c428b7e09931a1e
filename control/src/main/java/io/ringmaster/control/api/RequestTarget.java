package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.model.BadInput;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what stands in the first line of a request. Strict: what is not clear is refused. */
final class RequestTarget {
  private RequestTarget() {}

  /** The path, whose segments hold no slash and go nowhere but down. */
  static String path(String raw) {
    String path = decoded("path", raw, false);
    boolean slashes =
        path.chars().filter(c -> c == '/').count() > raw.chars().filter(c -> c == '/').count();
    if (slashes || path.indexOf('\\') >= 0 || ("/" + path + "/").matches("(?s).*/\\.{1,2}/.*")) {
      throw new BadInput(
          "path: '%s' has a segment that is '.' or '..', or that holds a slash"
              .formatted(JobSpecs.shown(raw)));
    }
    return path;
  }

  static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return query;
    }
    for (String part : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = decoded("query", equals < 0 ? part : part.substring(0, equals), true);
      String value = equals < 0 ? "" : decoded(name, part.substring(equals + 1), true);
      if (query.put(name, value) != null) {
        throw new BadInput("parameter '%s' is given twice".formatted(JobSpecs.shown(name)));
      }
    }
    return query;
  }

  private static String decoded(String where, String raw, boolean plusIsSpace) {
    ByteBuffer bytes = ByteBuffer.allocate(raw.length() * 3);
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
        int low = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw refused(where, raw);
        }
        bytes.put((byte) (high * 16 + low));
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        bytes.put((byte) ' ');
      } else {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    String text = text(bytes.flip()).orElseThrow(() -> refused(where, raw));
    if (text.indexOf('\0') >= 0) {
      throw refused(where, raw);
    }
    return text;
  }

  private static BadInput refused(String where, String raw) {
    return new BadInput(
        "%s: '%s' is not percent-encoded UTF-8 without NUL"
            .formatted(JobSpecs.shown(where), JobSpecs.shown(raw)));
  }

  /** Bytes as text; empty if they are not UTF-8. */
  static Optional<String> text(ByteBuffer bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(bytes);
      return Optional.of(text.toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
