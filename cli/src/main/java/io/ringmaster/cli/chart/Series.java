package io.ringmaster.cli.chart;

import static io.ringmaster.cli.chart.Svg.px;

import io.ringmaster.experiments.Plot;
import java.util.List;

/**
 * A series as it is drawn.
 *
 * @param look which colour and which marker
 */
record Series(String name, int look, Style style, List<Plot.Point> points) {
  enum Style {
    LINE,
    CURVE,
    DASHED,
    SCATTER
  }

  /** Okabe and Ito's colours, which colour-blind readers can tell apart, without the yellow. */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

  /** Around the middle: circle, square, triangle, diamond, triangle on its tip. */
  private static final List<String> MARKERS =
      List.of(
          "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
          "m-3.5 -3.5h7v7h-7z",
          "m0 -4.6l4.4 7.6h-8.8z",
          "m0 -5l5 5l-5 5l-5 -5z",
          "m0 4.6l4.4 -7.6h-8.8z");

  /** With more points markers would be a smear. */
  private static final int MOST_MARKERS = 60;

  private static final double CAP = 4;

  private String colour() {
    return COLOURS.get(look % COLOURS.size());
  }

  /** Half the width of the bar of a point; 0 for none. */
  static double bar(Plot.Point point) {
    return Double.isFinite(point.halfWidth()) ? Math.max(0, point.halfWidth()) : 0;
  }

  /** Bars below, the line over them, markers on top. */
  void draw(StringBuilder out, Area area) {
    out.append(
        """
        <g class="series" fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round">
        """
            .formatted(colour()));
    for (Plot.Point point : points) {
      if (bar(point) > 0) {
        drawBar(out, area, point);
      }
    }
    if (style != Style.SCATTER && points.size() > 1) {
      drawLine(out, area);
    }
    if (style == Style.SCATTER || (style != Style.CURVE && points.size() <= MOST_MARKERS)) {
      for (Plot.Point point : points) {
        drawMarker(out, area.x(point.x()), area.y(point.y()));
      }
    }
    out.append("</g>\n");
  }

  private static void drawBar(StringBuilder out, Area area, Plot.Point point) {
    double x = area.x(point.x());
    double high = area.y(point.y() + bar(point));
    double low = area.y(point.y() - bar(point));
    out.append(
        """
        <path class="bar" stroke-width="1.2" d="M%s %sh%sM%s %sV%sM%s %sh%s"/>
        """
            .formatted(
                px(x - CAP),
                px(high),
                px(2 * CAP),
                px(x),
                px(high),
                px(low),
                px(x - CAP),
                px(low),
                px(2 * CAP)));
  }

  private void drawLine(StringBuilder out, Area area) {
    StringBuilder path = new StringBuilder();
    for (Plot.Point point : points) {
      path.append(path.isEmpty() ? "M" : "L");
      path.append(px(area.x(point.x()))).append(' ').append(px(area.y(point.y())));
    }
    out.append("<path class=\"line\"" + dashes() + " d=\"").append(path).append("\"/>\n");
  }

  private String dashes() {
    return style == Style.DASHED ? " stroke-dasharray=\"7 5\"" : "";
  }

  /** Hollow on a dashed line, so that it differs from its kin of the same colour. */
  private void drawMarker(StringBuilder out, double x, double y) {
    out.append(
        """
        <path class="marker" fill="%s" stroke-width="%s" d="M%s %s%s"/>
        """
            .formatted(
                style == Style.DASHED ? "#ffffff" : colour(),
                style == Style.DASHED ? "1.5" : "0",
                px(x),
                px(y),
                MARKERS.get(look % MARKERS.size())));
  }

  /** A sample for the legend, to the right of a point. */
  void drawSample(StringBuilder out, double x, double y, double width) {
    out.append(
        """
        <g fill="none" stroke="%s" stroke-width="2">
        """
            .formatted(colour()));
    if (style != Style.SCATTER) {
      out.append(
          """
          <path%s d="M%s %sh%s"/>
          """
              .formatted(dashes(), px(x), px(y), px(width)));
    }
    if (style != Style.CURVE) {
      drawMarker(out, x + width / 2, y);
    }
    out.append("</g>\n");
  }
}
