package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * What A-SRPT's settings of delay come to, in both of its modes, each varied alone: from which
 * ratio of slowest to fastest a job counts as communication-heavy ({@code theta}), how long such a
 * job waits for a better place in the literal mode, in parts of its length ({@code tau}), and how
 * fast the virtual machine is ({@code speed}). The jobs are those of {@link ASrptExperiment}, with
 * known lengths. The paper's values were not to hand.
 */
public final class DelayExperiment implements Experiment {
  /** So much slower is no job that is scattered, so that none counts as communication-heavy. */
  static final String NEVER = "1e6";

  private static final double LOAD = 0.9;
  private static final List<Integer> BANDWIDTHS = List.of(10, 100);
  private static final int DRAWS = 5;

  /** A setting that is varied. */
  private record Sweep(String setting, List<String> values) {}

  private static final Sweep THETA = new Sweep("theta", List.of("1.1", "1.5", "2", NEVER));
  private static final Sweep TAU = new Sweep("tau", List.of("0", "0.1", "0.25", "0.5", "1"));
  private static final Sweep SPEED = new Sweep("speed", List.of("0.5", "0.7", "0.85", "1"));

  /** A setting of a strategy at one value. */
  private record Point(ASrptSetting setting, Strategy strategy, Sweep sweep, String value) {
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
  public String name() {
    return "a-srpt-delay";
  }

  @Override
  public String summary() {
    return "A-SRPT's settings of delay, each varied alone, in both modes: mean completion at load"
        + " 0.9.";
  }

  @Override
  public String source() {
    return "settings of Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563), whose values were"
        + " not to hand";
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
  public long steps(int draws) {
    return grid().steps(draws);
  }

  private Grid<Point, Double> grid() {
    return new Grid<>(points, (point, draw) -> point.cell(made).completionSeconds(draw));
  }

  @Override
  public Results run(int draws, int threads, LongConsumer done) {
    Outcomes<Point, Double> outcomes = grid().run(draws, threads, done);
    List<Row> rows = new ArrayList<>();
    for (Point point : points) {
      Statistics figure = outcomes.over(point, Double::doubleValue);
      rows.add(new Row(point.named(), point.strategy.name(), ASrptCell.METRIC, figure, null));
    }
    return new Results(rows, List.of(plot(THETA, rows), plot(TAU, rows), plot(SPEED, rows)));
  }

  private static Plot.Point point(double x, Statistics figure) {
    return new Plot.Point(x, figure.mean(), figure.ci95());
  }

  /** Modes and bandwidths are worlds apart, so each line is in parts of its own least. */
  private Plot plot(Sweep sweep, List<Row> rows) {
    Map<String, List<Plot.Point>> lines = new LinkedHashMap<>();
    for (int i = 0; i < points.size(); i++) {
      Point point = points.get(i);
      if (point.sweep.equals(sweep) && !point.value.equals(NEVER)) {
        lines
            .computeIfAbsent(
                "%s, %d Gbit/s".formatted(point.strategy.name(), point.setting.bandwidth()),
                _ -> new ArrayList<>())
            .add(point(Double.parseDouble(point.value), rows.get(i).figure()));
      }
    }
    List<Plot.Series> series = new ArrayList<>();
    lines.forEach((name, line) -> {
      double least = line.stream().mapToDouble(Plot.Point::y).min().orElseThrow();
      List<Plot.Point> parts =
          line.stream()
              .map(p -> new Plot.Point(p.x(), p.y() / least, p.halfWidth() / least))
              .toList();
      series.add(new Plot.Series(name, parts, false));
    });
    return new Plot(
        "jct-by-" + sweep.setting,
        "Completion by " + sweep.setting,
        sweep.setting,
        "mean completion over the least of the line",
        series);
  }
}
