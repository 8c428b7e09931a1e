package io.ringmaster.cli.terminal;

/**
 * Text of anybody's, fit to be shown: characters that steer a terminal, or that change the order of
 * what stands beside them, are written as JSON and bash write them, {@code \}{@code u001b}. What
 * was shown once stays as it is, and a JSON document still says the same.
 */
public final class Shown {
  private Shown() {}

  /** On one line: a value, which must not look like more than one. */
  public static String line(String text) {
    return escaped(text, "");
  }

  /**
   * Text of many lines.
   *
   * @param kept characters that may steer all the same
   */
  static String escaped(String text, String kept) {
    int plain = 0;
    while (plain < text.length() && isPlain(text.charAt(plain), kept)) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, plain);
    for (int i = plain; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(c, kept)) {
        shown.append(c);
      } else {
        shown.append("\\u%04x".formatted((int) c));
      }
    }
    return shown.toString();
  }

  private static boolean isPlain(char c, String kept) {
    // Printable ASCII first: nearly all is.
    return (c >= ' ' && c < 0x7f) || !steers(c) || kept.indexOf(c) >= 0;
  }

  /** Control characters, line separators, and what embeds, overrides or isolates a direction. */
  private static boolean steers(char c) {
    return Character.isISOControl(c)
        || (c >= '\u2028' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069');
  }
}
