package io.ringmaster.report;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the page of a paper's experiment shows: all rows, all plots, and what was expected. */
public final class ReproductionReport {
  private ReproductionReport() {}

  /** The page's data. */
  public static Map<String, Object> of(
      Experiment experiment, int draws, String version, Experiment.Results results) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("kind", "reproduction");
    out.put("title", "Reproduction of " + experiment.name());
    out.put("version", version);
    out.put("experiment", experiment.name());
    out.put("about", experiment.summary());
    out.put("source", experiment.source());
    out.put("docs", experiment.docs());
    out.put("draws", draws);
    out.put("columns", experiment.columns());
    out.put("plots", results.plots().stream().map(ReproductionReport::plot).toList());
    out.put("rows", rows(results.rows()));
    out.put("checks", results.checks().stream().map(ReproductionReport::check).toList());
    return out;
  }

  private static Map<String, Object> plot(Plot plot) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", plot.name());
    out.put("title", plot.title());
    out.put("horizontal", plot.horizontal());
    out.put("vertical", plot.vertical());
    out.put("logarithmic", plot.logarithmic());
    out.put("series", plot.series().stream().map(ReproductionReport::series).toList());
    return out;
  }

  /** Points that are no numbers have no place in a plot. */
  private static Map<String, Object> series(Plot.Series series) {
    List<Plot.Point> points =
        series.points().stream()
            .filter(p -> Double.isFinite(p.x()) && Double.isFinite(p.y()))
            .toList();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", series.name());
    out.put("paper", series.paper());
    out.put("x", numbers(points, Plot.Point::x));
    out.put("y", numbers(points, Plot.Point::y));
    out.put("halfWidth", numbers(points, p -> Double.isFinite(p.halfWidth()) ? p.halfWidth() : 0));
    return out;
  }

  /** With all digits, unlike an array: ratios differ in the fourth. */
  private static <T> List<Double> numbers(List<T> from, ToDoubleFunction<T> number) {
    return from.stream().mapToDouble(number).boxed().toList();
  }

  private static Map<String, Object> rows(List<Row> rows) {
    List<Object> settings = new ArrayList<>();
    rows.stream()
        .flatMap(row -> row.setting().keySet().stream())
        .distinct()
        .forEach(name -> {
          Map<String, Object> column = new LinkedHashMap<>();
          column.put("name", name);
          column.put("values", column(rows, row -> row.setting().get(name)));
          settings.add(column);
        });
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("settings", settings);
    out.put("policy", column(rows, Row::policy));
    out.put("metric", column(rows, Row::metric));
    out.put("mean", numbers(rows, row -> row.figure().mean()));
    out.put("ci95", numbers(rows, row -> row.figure().ci95()));
    out.put("paper", column(rows, Row::paper));
    return out;
  }

  private static List<@Nullable Object> column(
      List<Row> rows, Function<Row, @Nullable Object> value) {
    List<@Nullable Object> column = new ArrayList<>();
    rows.forEach(row -> column.add(value.apply(row)));
    return column;
  }

  private static Map<String, Object> check(Experiment.Check check) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("what", check.what());
    out.put("limit", check.limit());
    out.put("measured", check.measured());
    out.put("holds", check.holds());
    return out;
  }
}
