package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.parser.Parser;

/**
 * What a parser finds, as far as a person could have meant it: the library makes nodes of any depth
 * by calling itself, and lets an alias stand for what is huge once it is written out.
 */
final class YamlEvents implements Parser {
  static final int DEEPEST = 100;

  private final Parser parser;
  private final String file;
  private final long longest;

  /** How long all was, with aliases written out, where each open collection began. */
  private final Deque<Opened> open = new ArrayDeque<>();

  private final Map<Anchor, Long> lengths = new HashMap<>();
  private long written;

  private record Opened(@Nullable Anchor anchor, long from) {}

  /**
   * @param longest how many characters there may be once each alias is what it stands for
   */
  YamlEvents(Parser parser, String file, long longest) {
    this.parser = parser;
    this.file = file;
    this.longest = longest;
  }

  @Override
  public Event next() {
    Event event = parser.next();
    switch (event.getEventId()) {
      case SequenceStart, MappingStart -> begin((NodeEvent) event);
      case SequenceEnd, MappingEnd -> {
        Opened ended = open.pop();
        remember(ended.anchor, ended.from);
      }
      case Scalar -> {
        ScalarEvent scalar = (ScalarEvent) event;
        long from = written;
        written += 1 + scalar.getValue().length();
        remember(scalar.getAnchor().orElse(null), from);
      }
      case Alias -> expand((AliasEvent) event);
      default -> {
        // Nothing that holds a value.
      }
    }
    return event;
  }

  private void begin(NodeEvent event) {
    Anchor anchor = event.getAnchor().orElse(null);
    open.push(new Opened(anchor, written++));
    if (open.size() > DEEPEST) {
      throw bad(event, "nested deeper than %d levels".formatted(DEEPEST));
    }
    if (anchor != null) {
      lengths.remove(anchor);
    }
  }

  private void remember(@Nullable Anchor anchor, long from) {
    if (anchor != null) {
      lengths.put(anchor, written - from);
    }
  }

  private void expand(AliasEvent event) {
    Anchor anchor = event.getAlias();
    if (open.stream().anyMatch(each -> anchor.equals(each.anchor))) {
      throw bad(event, "the alias '*%s' is inside what it stands for".formatted(anchor));
    }
    // What is unknown is for the library to refuse.
    written += lengths.getOrDefault(anchor, 0L);
    if (written > longest) {
      throw bad(
          event,
          "with all aliases written out, there are more than %d MiB".formatted(longest >> 20));
    }
  }

  private BadInput bad(Event at, String message) {
    return YamlMap.bad(file, at.getStartMark().orElse(null), message);
  }

  @Override
  public boolean checkEvent(Event.ID choice) {
    return parser.checkEvent(choice);
  }

  @Override
  public Event peekEvent() {
    return parser.peekEvent();
  }

  @Override
  public boolean hasNext() {
    return parser.hasNext();
  }
}
