package io.ringmaster.cli.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** What all of an image's parts need to write themselves. */
final class Svg {
  private Svg() {}

  /** A number of pixels; hundredths are enough. */
  static String px(double value) {
    BigDecimal rounded =
        new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /** A text as XML holds it. XML has no place for control characters, even escaped. */
  static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            default -> out.appendCodePoint(allowed(c) ? c : '?');
          }
        });
    return out.toString();
  }

  private static boolean allowed(int c) {
    return c >= 0x20 && !(c >= 0xd800 && c <= 0xdfff) && c != 0xfffe && c != 0xffff;
  }
}
