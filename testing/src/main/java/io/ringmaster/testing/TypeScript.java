package io.ringmaster.testing;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The exported types of a TypeScript file, as far as documents need them. */
public final class TypeScript {
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern TOKEN = Pattern.compile("\"[^\"]*\"|[A-Za-z_][A-Za-z0-9_]*|\\S");

  private final List<String> tokens;

  /** Where the description of each type begins. */
  private final Map<String, Integer> starts = new HashMap<>();

  private int at;

  public TypeScript(String text) {
    tokens =
        TOKEN
            .matcher(COMMENT.matcher(text).replaceAll(""))
            .results()
            .map(MatchResult::group)
            .toList();
    for (int i = 0; i + 3 < tokens.size(); i++) {
      boolean type = tokens.get(i + 1).equals("type") && tokens.get(i + 3).equals("=");
      if (tokens.get(i).equals("export") && (type || tokens.get(i + 1).equals("interface"))) {
        starts.put(tokens.get(i + 2), i + (type ? 4 : 3));
      }
    }
  }

  /** A type by its name. */
  public Shape shape(String name) {
    Integer start = starts.get(name);
    if (start == null) {
      throw new AssertionError("there is no exported type " + name);
    }
    int back = at;
    at = start;
    Shape shape = union();
    at = back;
    return shape;
  }

  private boolean next(String token) {
    boolean is = at < tokens.size() && tokens.get(at).equals(token);
    at += is ? 1 : 0;
    return is;
  }

  /** Types of one union are null and something else, or words. */
  private Shape union() {
    boolean orNull = false;
    Shape shape = null;
    next("|");
    do {
      if (next("null")) {
        orNull = true;
      } else {
        Shape part = intersection();
        shape = shape == null || shape.equals(part) ? part : Shape.UNKNOWN;
      }
    } while (next("|"));
    Shape known = shape == null ? Shape.UNKNOWN : shape;
    return orNull ? new Shape.OrNull(known) : known;
  }

  private Shape intersection() {
    Shape shape = postfix();
    while (next("&")) {
      Map<String, Shape> all = new LinkedHashMap<>(((Shape.Fields) shape).fields());
      all.putAll(((Shape.Fields) postfix()).fields());
      shape = new Shape.Fields(all);
    }
    return shape;
  }

  private Shape postfix() {
    Shape shape = primary();
    while (next("[")) {
      next("]");
      shape = new Shape.ListOf(shape);
    }
    return shape;
  }

  private Shape primary() {
    if (next("{")) {
      return fields();
    }
    if (next("(")) {
      Shape inner = union();
      next(")");
      return inner;
    }
    String name = tokens.get(at++);
    if (name.equals("Record")) {
      at += 3; // < string ,
      Shape value = union();
      next(">");
      return new Shape.MapOf(value);
    }
    return switch (name) {
      case "number", "string", "boolean", "unknown" -> new Shape.Plain(name);
      default -> name.startsWith("\"") ? new Shape.Plain("string") : shape(name);
    };
  }

  private Shape fields() {
    Map<String, Shape> fields = new LinkedHashMap<>();
    while (!next("}")) {
      String name = tokens.get(at++);
      boolean optional = next("?");
      next(":");
      Shape shape = union();
      fields.put(name, optional ? new Shape.OrAbsent(shape) : shape);
      next(";");
    }
    return new Shape.Fields(fields);
  }
}
