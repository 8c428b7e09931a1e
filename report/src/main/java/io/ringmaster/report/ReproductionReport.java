package io.ringmaster.report;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the page of a paper's experiment shows: all rows, all plots, and what was expected. */
@NamedAsDeclared
public record ReproductionReport(
    String kind,
    String title,
    String version,
    String experiment,
    String about,
    String source,
    String docs,
    int draws,
    String columns,
    List<ShownPlot> plots,
    Rows rows,
    List<ShownCheck> checks) {

  public record ShownPlot(
      String name,
      String title,
      String horizontal,
      String vertical,
      boolean logarithmic,
      List<Line> series) {}

  public record Line(
      String name, boolean paper, List<Double> x, List<Double> y, List<Double> halfWidth) {}

  /** All figures, in columns. */
  public record Rows(
      List<Setting> settings,
      List<String> policy,
      List<String> lengths,
      List<String> metric,
      List<Double> mean,
      List<Double> ci95,
      List<@Nullable Double> paper) {}

  /** What was varied, for each row; null where a row does not have it. */
  public record Setting(String name, List<@Nullable Object> values) {}

  /** Something that was expected to be at most so large. */
  public record ShownCheck(String what, double limit, double measured, boolean holds) {}

  public static ReproductionReport of(
      Experiment experiment, int draws, String version, Experiment.Results results) {
    return new ReproductionReport(
        "reproduction",
        "Reproduction of " + experiment.name(),
        version,
        experiment.name(),
        experiment.summary(),
        experiment.source(),
        experiment.docs(),
        draws,
        experiment.columns(),
        results.plots().stream().map(ReproductionReport::plot).toList(),
        rows(results.rows()),
        results.checks().stream()
            .map(check ->
                new ShownCheck(check.what(), check.limit(), check.measured(), check.holds()))
            .toList());
  }

  private static ShownPlot plot(Plot plot) {
    return new ShownPlot(
        plot.name(),
        plot.title(),
        plot.horizontal(),
        plot.vertical(),
        plot.logarithmic(),
        plot.series().stream().map(ReproductionReport::line).toList());
  }

  /** Points that are no numbers have no place in a plot. */
  private static Line line(Plot.Series series) {
    List<Plot.Point> points =
        series.points().stream()
            .filter(p -> Double.isFinite(p.x()) && Double.isFinite(p.y()))
            .toList();
    return new Line(
        series.name(),
        series.paper(),
        numbers(points, Plot.Point::x),
        numbers(points, Plot.Point::y),
        numbers(points, p -> Double.isFinite(p.halfWidth()) ? p.halfWidth() : 0));
  }

  /** With all digits, unlike an array: ratios differ in the fourth. */
  private static <T> List<Double> numbers(List<T> from, ToDoubleFunction<T> number) {
    return from.stream().mapToDouble(number).boxed().toList();
  }

  private static Rows rows(List<Row> rows) {
    List<Setting> settings =
        rows.stream()
            .flatMap(row -> row.setting().keySet().stream())
            .distinct()
            .map(name -> new Setting(name, column(rows, row -> row.setting().get(name))))
            .toList();
    return new Rows(
        settings,
        rows.stream().map(Row::policy).toList(),
        rows.stream().map(Row::lengthsWord).toList(),
        rows.stream().map(Row::metric).toList(),
        numbers(rows, row -> row.figure().mean()),
        numbers(rows, row -> row.figure().ci95()),
        column(rows, Row::paper));
  }

  private static <T> List<@Nullable T> column(List<Row> rows, Function<Row, @Nullable T> value) {
    List<@Nullable T> column = new ArrayList<>();
    rows.forEach(row -> column.add(value.apply(row)));
    return column;
  }
}
