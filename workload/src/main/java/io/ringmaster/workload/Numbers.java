package io.ringmaster.workload;

/** Numbers out of characters, without a String for the usual ones. */
public final class Numbers {
  /** So many digits are below 2^53, so a double holds them exactly. */
  private static final int EXACT_DIGITS = 15;

  private static final double[] POWERS = new double[EXACT_DIGITS + 1];

  static {
    double power = 1;
    for (int i = 0; i < POWERS.length; i++, power *= 10) {
      POWERS[i] = power;
    }
  }

  private Numbers() {}

  /**
   * The number that {@link Double#parseDouble} reads, but for negative zero, which is 0. NaN if the
   * text is no plain decimal number: {@code NaN}, {@code Infinity}, hexadecimals and the suffixes
   * of Java literals are refused. Blanks around it are no matter.
   */
  static double parse(char[] text, int start, int end) {
    int from = start;
    int to = end;
    while (from < to && text[from] <= ' ') {
      from++;
    }
    while (to > from && text[to - 1] <= ' ') {
      to--;
    }
    int at = from;
    boolean negative = at < to && text[at] == '-';
    if (negative || (at < to && text[at] == '+')) {
      at++;
    }
    long digits = 0;
    int count = 0;
    int point = -1;
    for (; at < to; at++) {
      char c = text[at];
      if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
        if (++count > EXACT_DIGITS) {
          return slow(text, from, to);
        }
      } else if (c == '.' && point < 0) {
        point = count;
      } else {
        return slow(text, from, to);
      }
    }
    if (count == 0) {
      return Double.NaN;
    }
    // Both are exact, so the division rounds once, as parsing the text would.
    double size = point < 0 ? digits : digits / POWERS[count - point];
    return negative ? 0.0 - size : size;
  }

  public static double parse(String text) {
    return parse(text.toCharArray(), 0, text.length());
  }

  private static double slow(char[] text, int from, int to) {
    int at = from;
    if (text[at] == '-' || text[at] == '+') {
      at++;
    }
    int digits = at;
    at = skipDigits(text, at, to);
    digits = at - digits;
    if (at < to && text[at] == '.') {
      int decimals = skipDigits(text, at + 1, to);
      digits += decimals - at - 1;
      at = decimals;
    }
    if (digits == 0) {
      return Double.NaN;
    }
    if (at < to && (text[at] == 'e' || text[at] == 'E')) {
      at++;
      if (at < to && (text[at] == '-' || text[at] == '+')) {
        at++;
      }
      int exponent = skipDigits(text, at, to);
      at = exponent == at ? to + 1 : exponent;
    }
    return at == to ? Double.parseDouble(new String(text, from, to - from)) + 0.0 : Double.NaN;
  }

  private static int skipDigits(char[] text, int from, int to) {
    int at = from;
    while (at < to && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at;
  }
}
