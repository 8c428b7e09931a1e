package io.ringmaster.cli.chart;

import static io.ringmaster.cli.chart.Svg.escaped;
import static io.ringmaster.cli.chart.Svg.px;

import io.ringmaster.experiments.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A chart of lines and points as an SVG image, 720 pixels wide, for a web page or a paper.
 *
 * <pre>{@code
 * String svg =
 *     new Chart("Title", "servers", "makespan, s")
 *         .line("sjf-bco", points)
 *         .dashed("paper", others)
 *         .svg();
 * }</pre>
 *
 * The title is on top, below it the legend, below that the plot: they never cover each other.
 * Series differ in colour and in the shape of their markers. Points that are not finite are left
 * out. The same calls give the same bytes.
 */
public final class Chart {
  static final int EDGE = 16;

  private static final int WIDTH = 720;
  private static final int PLOT_HEIGHT = 330;
  private static final int BELOW_PLOT = 60;
  private static final int LEFT_OF_LABELS = EDGE + 34;
  private static final int TITLE_SIZE = 16;
  private static final int TITLE_LINE = 22;
  private static final int TEXT_SIZE = 13;
  private static final int LEGEND_LINE = 20;
  private static final int LEGEND_GAP = 18;
  private static final int SAMPLE = 30;
  private static final int SAMPLE_GAP = 7;

  /** Width of a letter over its height: a little more than those of usual fonts. */
  private static final double LETTER = 0.56;

  private static final int HORIZONTAL_STEPS = 8;
  private static final int VERTICAL_STEPS = 6;

  private final String title;
  private final String horizontal;
  private final String vertical;
  private final List<Series> series = new ArrayList<>();
  private boolean fromZero;
  private boolean logHorizontal;
  private boolean logVertical;

  public Chart(String title, String horizontal, String vertical) {
    this.title = title;
    this.horizontal = horizontal;
    this.vertical = vertical;
  }

  /** Draws a plot of an experiment; a series of the paper has the colour of ours of that name. */
  public static Chart of(Plot plot) {
    Chart chart = new Chart(plot.title(), plot.horizontal(), plot.vertical());
    chart.logVertical = plot.logarithmic();
    List<String> names = plot.series().stream().map(Plot.Series::name).distinct().toList();
    for (Plot.Series each : plot.series()) {
      boolean says = each.name().toLowerCase(Locale.ROOT).contains("paper");
      String name = each.paper() && !says ? each.name() + " (paper)" : each.name();
      Series.Style style = each.paper() ? Series.Style.DASHED : Series.Style.LINE;
      chart.add(name, names.indexOf(each.name()), style, each.points());
    }
    return chart;
  }

  /** Adds a line with markers. */
  public Chart line(String name, List<Plot.Point> points) {
    return add(name, series.size(), Series.Style.LINE, points);
  }

  /** Adds a line without markers, for what was computed and not measured. */
  public Chart curve(String name, List<Plot.Point> points) {
    return add(name, series.size(), Series.Style.CURVE, points);
  }

  /** Adds a dashed line with hollow markers. */
  public Chart dashed(String name, List<Plot.Point> points) {
    return add(name, series.size(), Series.Style.DASHED, points);
  }

  /** Adds markers without a line. */
  public Chart scatter(String name, List<Plot.Point> points) {
    return add(name, series.size(), Series.Style.SCATTER, points);
  }

  /** Makes the vertical axis begin at 0, or below if there are negative values. */
  public Chart fromZero() {
    fromZero = true;
    return this;
  }

  /** Makes the horizontal axis logarithmic; all values must be above 0. */
  public Chart logHorizontal() {
    logHorizontal = true;
    return this;
  }

  /** Makes the vertical axis logarithmic; all values must be above 0. */
  public Chart logVertical() {
    logVertical = true;
    return this;
  }

  private Chart add(String name, int look, Series.Style style, List<Plot.Point> points) {
    List<Plot.Point> finite =
        points.stream().filter(p -> Double.isFinite(p.x()) && Double.isFinite(p.y())).toList();
    series.add(new Series(shortened(name), look, style, finite));
    return this;
  }

  /** The image, as a document of its own. */
  public String svg() {
    Axis x = horizontalAxis();
    Axis y = verticalAxis();
    List<String> titleLines = lines(title);
    List<List<Series>> legend = legend();
    int legendTop = EDGE + titleLines.size() * TITLE_LINE + 4;
    int top = legendTop + legend.size() * LEGEND_LINE + 14;
    double widest = y.labels().stream().mapToDouble(l -> width(l, TEXT_SIZE)).max().orElse(0);
    double left = Math.ceil(LEFT_OF_LABELS + widest);
    double right = WIDTH - EDGE - Math.ceil(width(x.labels().getLast(), TEXT_SIZE) / 2);
    int height = top + PLOT_HEIGHT + BELOW_PLOT;

    StringBuilder out = new StringBuilder();
    out.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" \
        role="img" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%s" \
        fill="#1f2328">
        <title>%s</title>
        <rect width="%s" height="%s" fill="#ffffff"/>
        """
            .formatted(WIDTH, height, WIDTH, height, TEXT_SIZE, escaped(title), WIDTH, height));
    for (int i = 0; i < titleLines.size(); i++) {
      out.append(
          """
          <text x="%s" y="%s" font-size="%s" font-weight="bold">%s</text>
          """
              .formatted(
                  EDGE,
                  EDGE + i * TITLE_LINE + TITLE_SIZE,
                  TITLE_SIZE,
                  escaped(titleLines.get(i))));
    }
    drawLegend(out, legend, legendTop);
    Area area = new Area(left, top, right - left, PLOT_HEIGHT, x, y);
    area.draw(out, horizontal, vertical);
    // Points without a line are easily covered: they come last.
    for (boolean scatter : new boolean[] {false, true}) {
      series.stream()
          .filter(each -> (each.style() == Series.Style.SCATTER) == scatter)
          .forEach(each -> each.draw(out, area));
    }
    return out.append("</svg>\n").toString();
  }

  private Axis horizontalAxis() {
    return logHorizontal
        ? Axis.logarithmic(least(Plot.Point::x, 1), most(Plot.Point::x, 10))
        : Axis.linear(least(Plot.Point::x, 0), most(Plot.Point::x, 1), HORIZONTAL_STEPS);
  }

  private Axis verticalAxis() {
    double most = most(p -> p.y() + Series.bar(p), logVertical ? 10 : 1);
    if (logVertical) {
      // A bar that reaches 0 or below ends at the axis.
      ToDoubleFunction<Plot.Point> low = p -> p.y() > Series.bar(p) ? p.y() - Series.bar(p) : p.y();
      return Axis.logarithmic(least(low, 1), most);
    }
    double least = least(p -> p.y() - Series.bar(p), 0);
    return fromZero
        ? Axis.linear(Math.min(0, least), Math.max(0, most), VERTICAL_STEPS)
        : Axis.linear(least, most, VERTICAL_STEPS);
  }

  private DoubleStream values(ToDoubleFunction<Plot.Point> value) {
    return series.stream().flatMap(s -> s.points().stream()).mapToDouble(value);
  }

  private double least(ToDoubleFunction<Plot.Point> value, double ifNone) {
    return values(value).min().orElse(ifNone);
  }

  private double most(ToDoubleFunction<Plot.Point> value, double ifNone) {
    return values(value).max().orElse(ifNone);
  }

  /** About how wide a text is. */
  private static double width(String text, int size) {
    return text.length() * size * LETTER;
  }

  /** A name that a line of the legend holds. */
  private static String shortened(String name) {
    int most = (int) ((WIDTH - 2 * EDGE - SAMPLE - SAMPLE_GAP) / (TEXT_SIZE * LETTER));
    return name.length() <= most ? name : name.substring(0, most - 3) + "...";
  }

  /** The title, broken between words where it would be too wide. */
  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" +", -1)) {
      if (!line.isEmpty() && width(line + " " + word, TITLE_SIZE) > WIDTH - 2 * EDGE) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static double legendWidth(Series each) {
    return SAMPLE + SAMPLE_GAP + width(each.name(), TEXT_SIZE) + LEGEND_GAP;
  }

  /** Series in as few lines as hold them. */
  private List<List<Series>> legend() {
    List<List<Series>> legend = new ArrayList<>();
    double used = WIDTH;
    for (Series each : series) {
      if (used + legendWidth(each) > WIDTH - 2 * EDGE + LEGEND_GAP) {
        legend.add(new ArrayList<>());
        used = 0;
      }
      legend.getLast().add(each);
      used += legendWidth(each);
    }
    return legend;
  }

  private static void drawLegend(StringBuilder out, List<List<Series>> legend, int top) {
    out.append("<g class=\"legend\">\n");
    for (int i = 0; i < legend.size(); i++) {
      double x = EDGE;
      int y = top + i * LEGEND_LINE + LEGEND_LINE / 2;
      for (Series each : legend.get(i)) {
        each.drawSample(out, x, y, SAMPLE);
        out.append(
            """
            <text x="%s" y="%s">%s</text>
            """
                .formatted(px(x + SAMPLE + SAMPLE_GAP), px(y + 4.5), escaped(each.name())));
        x += legendWidth(each);
      }
    }
    out.append("</g>\n");
  }
}
