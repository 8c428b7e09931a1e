package io.ringmaster.engine.slurm.client;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code --constraint} asks of each node: features joined by {@code &} and {@code |}, with
 * parentheses. As Slurm does, from left to right: neither goes before the other. What counts nodes,
 * or wants the same feature on all ({@code [a|b]}, {@code a*2}), is not read.
 */
final class Features {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.=:/+-]+|[&|()]");

  private final String text;
  private final Set<String> present;
  private final Matcher tokens;
  private @Nullable String next;

  private Features(String text, Set<String> present) {
    this.text = text;
    this.present = present;
    this.tokens = TOKEN.matcher(text);
    advance();
  }

  /** Whether this is one that is understood. */
  static boolean areRead(String text) {
    try {
      matches(text, Set.of());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether a node with these features is meant; empty text: each is. */
  static boolean matches(String text, Set<String> present) {
    if (text.isEmpty()) {
      return true;
    }
    Features features = new Features(text, present);
    boolean matches = features.all();
    if (features.next != null) {
      throw features.notRead();
    }
    return matches;
  }

  private void advance() {
    int from = next == null ? 0 : tokens.end();
    if (from == text.length()) {
      next = null;
      return;
    }
    if (!tokens.find() || tokens.start() != from) {
      throw notRead();
    }
    next = tokens.group();
  }

  private IllegalArgumentException notRead() {
    return new IllegalArgumentException("'%s' is not read".formatted(text));
  }

  private boolean all() {
    boolean value = one();
    while ("&".equals(next) || "|".equals(next)) {
      boolean isAnd = "&".equals(next);
      advance();
      boolean other = one();
      value = isAnd ? value && other : value || other;
    }
    return value;
  }

  private boolean one() {
    String token = next;
    if (token == null || token.equals("&") || token.equals("|") || token.equals(")")) {
      throw notRead();
    }
    advance();
    if (!token.equals("(")) {
      return present.contains(token);
    }
    boolean value = all();
    if (!")".equals(next)) {
      throw notRead();
    }
    advance();
    return value;
  }
}
