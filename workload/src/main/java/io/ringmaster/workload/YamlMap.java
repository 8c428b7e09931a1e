package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A mapping of a YAML file whose keys are all known. Values are read from the parsed nodes rather
 * than from objects made of them, so that a mistake has a line and a column.
 */
public final class YamlMap {
  private final String file;
  private final Node node;
  private final Map<String, Node> values = new LinkedHashMap<>();

  /**
   * Checks the keys of a mapping.
   *
   * @param what what the mapping describes, for messages: {@code a server}
   */
  public YamlMap(String file, Node node, String what, List<String> keys) {
    this.file = file;
    this.node = node;
    if (!(node instanceof MappingNode mapping)) {
      throw bad(
          node,
          "expected %s, a mapping with %s; found %s"
              .formatted(what, String.join(", ", keys), kind(node)));
    }
    Map<String, Node> seen = new LinkedHashMap<>();
    for (NodeTuple entry : mapping.getValue()) {
      Node keyNode = entry.getKeyNode();
      String key = keyNode instanceof ScalarNode scalar ? scalar.getValue() : kind(keyNode);
      if (!keys.contains(key)) {
        throw bad(
            keyNode,
            "unknown key '%s' of %s; %s"
                .formatted(Inputs.shown(key), what, Settings.Nearest.hint(key, keys)));
      }
      Node before = seen.put(key, keyNode);
      if (before != null) {
        throw bad(
            keyNode, "key '%s' is there twice, first in line %d".formatted(key, line(before)));
      }
      values.put(key, entry.getValueNode());
    }
  }

  /** A mapping without anything in it, as if a file were empty. */
  public static YamlMap empty(String file, String what, List<String> keys) {
    return new YamlMap(file, new MappingNode(Tag.MAP, List.of(), FlowStyle.BLOCK), what, keys);
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** Whether a key is there with a mapping of its own. */
  public boolean isMapping(String key) {
    return values.get(key) instanceof MappingNode;
  }

  public int whole(String key, int least, int greatest) {
    Node value = required(key);
    String expected = "a whole number from %d to %d".formatted(least, greatest);
    String text = scalar(value, key, expected);
    if (!text.matches("[+-]?\\d{1,18}")
        || Long.parseLong(text) < least
        || Long.parseLong(text) > greatest) {
      throw refused(key, value, text, expected);
    }
    return Integer.parseInt(text);
  }

  public int whole(String key, int least, int greatest, int fallback) {
    return has(key) ? whole(key, least, greatest) : fallback;
  }

  public boolean flag(String key, boolean fallback) {
    if (!has(key)) {
      return fallback;
    }
    Node value = required(key);
    String text = scalar(value, key, "true or false");
    if (!text.equals("true") && !text.equals("false")) {
      throw refused(key, value, text, "true or false");
    }
    return text.equals("true");
  }

  /** A number that a rule accepts. */
  public double number(
      String key, double fallback, String expected, java.util.function.DoublePredicate rule) {
    if (!has(key)) {
      return fallback;
    }
    Node value = required(key);
    String text = scalar(value, key, expected);
    double number = Numbers.parse(text);
    if (!Double.isFinite(number) || !rule.test(number)) {
      throw refused(key, value, text, expected);
    }
    return number;
  }

  /** A quantity with a unit. */
  public double quantity(
      String key, double fallback, String expected, ToDoubleFunction<String> parser) {
    if (!has(key)) {
      return fallback;
    }
    Node value = required(key);
    String text = scalar(value, key, expected);
    try {
      return parser.applyAsDouble(text);
    } catch (BadInput e) {
      throw bad(value, key + ": " + e.getMessage());
    }
  }

  /** A text that is not empty. */
  public String text(String key, String fallback) {
    if (!has(key)) {
      return fallback;
    }
    Node value = required(key);
    String text = scalar(value, key, "a text");
    if (text.isBlank()) {
      throw bad(value, key + ": is empty; expected a text");
    }
    return text;
  }

  /** The nodes of a list that is not empty. */
  public List<Node> list(String key, String expected) {
    Node value = required(key);
    if (!(value instanceof SequenceNode sequence)) {
      throw bad(value, "%s: expected %s; found %s".formatted(key, expected, kind(value)));
    }
    if (sequence.getValue().isEmpty()) {
      throw bad(value, "%s: the list is empty; expected %s".formatted(key, expected));
    }
    return new ArrayList<>(sequence.getValue());
  }

  /** A mapping whose keys are free, of names to texts; empty if the key is not there. */
  public Map<String, String> texts(String key, String expected) {
    if (!has(key)) {
      return Map.of();
    }
    Node value = required(key);
    if (!(value instanceof MappingNode mapping)) {
      throw bad(value, "%s: expected %s; found %s".formatted(key, expected, kind(value)));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (NodeTuple entry : mapping.getValue()) {
      String name = scalar(entry.getKeyNode(), key, expected);
      if (texts.put(name, scalar(entry.getValueNode(), key + "." + name, expected)) != null) {
        throw bad(entry.getKeyNode(), "%s: '%s' is there twice".formatted(key, name));
      }
    }
    return texts;
  }

  /** The value of a key that must be there. */
  public Node required(String key) {
    Node value = values.get(key);
    if (value == null) {
      throw bad(node, "missing key '%s'".formatted(key));
    }
    return value;
  }

  private String scalar(Node value, String key, String expected) {
    if (value instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
      return scalar.getValue();
    }
    throw bad(value, "%s: expected %s; found %s".formatted(key, expected, kind(value)));
  }

  private BadInput refused(String key, Node value, String text, String expected) {
    return bad(value, "%s: '%s' is not %s".formatted(key, Inputs.shown(text), expected));
  }

  /** An error at the value of a key, or at the mapping if it has none. */
  public BadInput bad(String key, String message) {
    Node value = values.get(key);
    return bad(value == null ? node : value, message);
  }

  private BadInput bad(Node at, String message) {
    return bad(file, at.getStartMark().orElse(null), message);
  }

  static BadInput bad(String file, @Nullable Mark mark, String message) {
    return new BadInput(
        mark == null
            ? file + ": " + message
            : "%s:%d:%d: %s".formatted(file, mark.getLine() + 1, mark.getColumn() + 1, message));
  }

  private static int line(Node node) {
    return node.getStartMark().map(m -> m.getLine() + 1).orElse(0);
  }

  private static String kind(Node node) {
    return switch (node) {
      case MappingNode _ -> "a mapping";
      case SequenceNode _ -> "a list";
      case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> "nothing";
      case ScalarNode scalar -> "'" + Inputs.shown(scalar.getValue()) + "'";
      default -> "something else";
    };
  }
}
