package io.ringmaster.experiments;

import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A plot of an experiment.
 *
 * @param name of its file, without ending
 * @param logarithmic whether the vertical axis is
 */
public record Plot(
    String name,
    String title,
    String horizontal,
    String vertical,
    boolean logarithmic,
    List<Series> series) {

  /** With equal steps on the vertical axis. */
  public Plot(String name, String title, String horizontal, String vertical, List<Series> series) {
    this(name, title, horizontal, vertical, false, series);
  }

  /**
   * A line of a plot.
   *
   * @param paper whether the numbers are the paper's: drawn dashed
   */
  public record Series(String name, List<Point> points, boolean paper) {
    /** Our own numbers. */
    public Series(String name, List<Point> points) {
      this(name, points, false);
    }
  }

  /** Our own numbers as lines, in the order in which their first rows come. */
  public static List<Series> lines(
      List<Row> rows, Function<Row, String> line, ToDoubleFunction<Row> x) {
    Map<String, List<Point>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      lines
          .computeIfAbsent(line.apply(row), _ -> new ArrayList<>())
          .add(Point.of(x.applyAsDouble(row), row.figure()));
    }
    return lines.entrySet().stream().map(e -> new Series(e.getKey(), e.getValue())).toList();
  }

  /**
   * A point of a line.
   *
   * @param halfWidth of the 95 % interval; 0 if there is none
   */
  public record Point(double x, double y, double halfWidth) {
    public Point(double x, double y) {
      this(x, y, 0);
    }

    public static Point of(double x, Statistics figure) {
      return new Point(x, figure.mean(), figure.ci95());
    }
  }
}
