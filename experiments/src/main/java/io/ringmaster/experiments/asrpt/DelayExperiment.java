package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What A-SRPT's settings of delay come to, in both of its modes, each varied alone: from which
 * ratio of slowest to fastest a job counts as communication-heavy ({@code theta}), how long such a
 * job waits for a better place in the literal mode, in parts of its length ({@code tau}), and how
 * fast the virtual machine is ({@code speed}). The jobs are those of {@link ASrptExperiment}, with
 * known lengths. The paper's values were not to hand.
 */
public final class DelayExperiment extends GridExperiment<DelayExperiment.Point, Double> {
  /** So much slower is no job that is scattered, so that none counts as communication-heavy. */
  static final String NEVER = "1e6";

  private static final double LOAD = 0.9;
  private static final List<Integer> BANDWIDTHS = List.of(10, 100);
  private static final int DRAWS = 5;

  /** A setting that is varied. */
  record Sweep(String setting, List<String> values) {}

  private static final Sweep THETA = new Sweep("theta", List.of("1.1", "1.5", "2", NEVER));
  private static final Sweep TAU = new Sweep("tau", List.of("0", "0.1", "0.25", "0.5", "1"));
  private static final Sweep SPEED = new Sweep("speed", List.of("0.5", "0.7", "0.85", "1"));

  /** A setting of a strategy at one value. */
  record Point(ASrptSetting setting, Strategy strategy, Sweep sweep, String value) {
    /** As rows name it: a number, or that there is no limit. */
    Map<String, Object> named() {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("load", setting.load());
      named.put("bandwidth", setting.bandwidth());
      named.put(sweep.setting, value.equals(NEVER) ? "inf" : Double.valueOf(value));
      return named;
    }

    ASrptCell cell(UnaryOperator<Strategy> made) {
      return new ASrptCell(setting, made.apply(strategy.with(sweep.setting, value)));
    }
  }

  private final List<Point> points = new ArrayList<>();
  private final UnaryOperator<Strategy> made;

  public DelayExperiment() {
    this(ASrptSetting.Scale.FULL, strategy -> strategy);
  }

  /** At another scale, with strategies that are made in another way. */
  DelayExperiment(ASrptSetting.Scale scale, UnaryOperator<Strategy> made) {
    super(
        "a-srpt-delay",
        "A-SRPT's settings of delay, each varied alone, in both modes: mean completion at load"
            + " 0.9.",
        "settings of Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563), whose values were"
            + " not to hand");
    this.made = made;
    for (Strategy strategy : List.of(Strategy.RESERVE, Strategy.LITERAL)) {
      for (Sweep sweep : List.of(THETA, TAU, SPEED)) {
        for (int bandwidth : BANDWIDTHS) {
          ASrptSetting setting = new ASrptSetting(scale, LOAD, bandwidth, Prediction.PERFECT);
          sweep.values.forEach(value -> points.add(new Point(setting, strategy, sweep, value)));
        }
      }
    }
  }

  @Override
  public int defaultDraws() {
    return DRAWS;
  }

  @Override
  public String docs() {
    return "docs/experiments/a-srpt.md";
  }

  @Override
  protected Grid<Point, Double> grid() {
    return new Grid<>(points, (point, draw) -> point.cell(made).completionSeconds(draw));
  }

  @Override
  protected Results results(Outcomes<DelayExperiment.Point, Double> outcomes, int draws) {
    List<Row> rows = new ArrayList<>();
    for (Point point : points) {
      Statistics figure = outcomes.over(point, Double::doubleValue);
      KnownLengths lengths = point.cell(made).lengths();
      rows.add(new Row(point.named(), point.strategy.name(), lengths, ASrptCell.METRIC, figure));
    }
    return new Results(rows, List.of(plot(THETA, rows), plot(TAU, rows), plot(SPEED, rows)));
  }

  /** Modes and bandwidths are worlds apart, so each line is in parts of its own least. */
  private Plot plot(Sweep sweep, List<Row> rows) {
    List<Row> shown = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      if (points.get(i).sweep.equals(sweep) && !points.get(i).value.equals(NEVER)) {
        shown.add(rows.get(i));
      }
    }
    List<Plot.Series> series =
        Plot.lines(
                shown,
                row -> "%s, %s Gbit/s".formatted(row.policy(), row.text("bandwidth")),
                row -> row.number(sweep.setting))
            .stream()
            .map(DelayExperiment::inPartsOfItsLeast)
            .toList();
    return new Plot(
        "jct-by-" + sweep.setting,
        "Completion by " + sweep.setting,
        sweep.setting,
        "mean completion over the least of the line",
        series);
  }

  private static Plot.Series inPartsOfItsLeast(Plot.Series line) {
    double least = line.points().stream().mapToDouble(Plot.Point::y).min().orElseThrow();
    return new Plot.Series(
        line.name(),
        line.points().stream()
            .map(p -> new Plot.Point(p.x(), p.y() / least, p.halfWidth() / least))
            .toList());
  }
}
