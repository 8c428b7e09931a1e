package io.ringmaster.cli.chart;

import static io.ringmaster.cli.chart.Svg.escaped;
import static io.ringmaster.cli.chart.Svg.px;

/** The rectangle in which series are drawn, with its axes. */
record Area(double left, double top, double width, double height, Axis horizontal, Axis vertical) {
  private static final double TICK = 5;

  /** Keeps markers off the vertical axis. */
  private static final double INSET = 12;

  double x(double value) {
    return left + INSET + (width - 2 * INSET) * horizontal.at(value);
  }

  double y(double value) {
    return top + height * (1 - vertical.at(value));
  }

  private double right() {
    return left + width;
  }

  private double bottom() {
    return top + height;
  }

  /** Grid, ticks and their labels, and the names of the axes. */
  void draw(StringBuilder out, String horizontalName, String verticalName) {
    out.append("<g class=\"axes\" stroke=\"#d8dee4\">\n");
    StringBuilder labels = new StringBuilder();
    StringBuilder marks = new StringBuilder();
    for (int i = 0; i < vertical.ticks().size(); i++) {
      double y = y(vertical.ticks().get(i));
      out.append("<path d=\"M%s %sH%s\"/>\n".formatted(px(left), px(y), px(right())));
      marks.append("M%s %sh-%s".formatted(px(left), px(y), px(TICK)));
      label(labels, left - TICK - 4, y + 4.5, "end", vertical.labels().get(i));
    }
    for (int i = 0; i < horizontal.ticks().size(); i++) {
      double x = x(horizontal.ticks().get(i));
      marks.append("M%s %sv%s".formatted(px(x), px(bottom()), px(TICK)));
      label(labels, x, bottom() + TICK + 15, "middle", horizontal.labels().get(i));
    }
    out.append("</g>\n");
    out.append(
        """
        <rect class="plot" x="%s" y="%s" width="%s" height="%s" fill="none"/>
        <path fill="none" stroke="#59636e" d="M%s %sV%sH%s%s"/>
        """
            .formatted(
                px(left),
                px(top),
                px(width),
                px(height),
                px(left),
                px(top),
                px(bottom()),
                px(right()),
                marks));
    out.append(labels);
    label(out, left + width / 2, bottom() + TICK + 40, "middle", horizontalName);
    out.append(
        """
        <text transform="translate(%s %s) rotate(-90)" text-anchor="middle">%s</text>
        """
            .formatted(px(Chart.EDGE + 11), px(top + height / 2), escaped(verticalName)));
  }

  private static void label(StringBuilder out, double x, double y, String anchor, String text) {
    out.append(
        """
        <text x="%s" y="%s" text-anchor="%s">%s</text>
        """
            .formatted(px(x), px(y), anchor, escaped(text)));
  }
}
