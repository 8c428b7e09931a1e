package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.AllReduce;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The plots of the experiment. */
final class DoublingPlots {
  private static final String GAP = "mean seconds between arrivals";
  private static final String HOURS = "mean completion, hours";
  private static final String OVER_DOUBLING = "mean completion over that of doubling";

  private final Map<Case, Statistics> figures;
  private final List<Row> resizing;

  DoublingPlots(Map<Case, Statistics> figures, List<Row> resizing) {
    this.figures = figures;
    this.resizing = resizing;
  }

  List<Plot> all() {
    return List.of(
        byGap("completion-by-gap", "Completion by how dense jobs come", Cell::of),
        byGap(
            "completion-by-gap-binary-blocks",
            "The same, with binary blocks",
            contention -> Cell.of(contention).with(AllReduce.BINARY_BLOCKS)),
        byGap(
            "completion-by-gap-log-normal",
            "The same, with log-normal lengths",
            contention -> Cell.of(contention).withLogNormalLengths()),
        hours("hours-by-gap", "Completion of all strategies", Cell::of),
        hours(
            "hours-by-gap-binary-blocks",
            "The same, with binary blocks",
            contention -> Cell.of(contention).with(AllReduce.BINARY_BLOCKS)),
        hours(
            "hours-by-gap-log-normal",
            "The same, with log-normal lengths",
            contention -> Cell.of(contention).withLogNormalLengths()),
        byRestart(),
        resized());
  }

  /** A line for every strategy of a kind of cell, with intervals. */
  private Plot hours(String name, String title, Function<Contention, Cell> cell) {
    List<Cell> cells = List.of(Contention.values()).stream().map(cell).toList();
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies(cells.getFirst())) {
      series.add(series(strategy.name(), cells, strategy, each -> each.contention().gapSeconds()));
    }
    return new Plot(name, title, GAP, HOURS, series);
  }

  /** A line for each strategy of a kind of cell, as parts of what doubling takes. */
  private Plot byGap(String name, String title, Function<Contention, Cell> cell) {
    List<Cell> cells = List.of(Contention.values()).stream().map(cell).toList();
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies(cells.getFirst())) {
      if (Strategy.PLOTTED.contains(strategy)) {
        series.add(new Plot.Series(strategy.name(), overDoubling(cells, strategy), false));
      }
    }
    return new Plot(name, title, GAP, OVER_DOUBLING, series);
  }

  private List<Plot.Point> overDoubling(List<Cell> cells, Strategy strategy) {
    List<Plot.Point> points = new ArrayList<>();
    for (Cell cell : cells) {
      Statistics figure = figures.get(new Case(cell, strategy));
      Statistics doubling = figures.get(new Case(cell, Strategy.DOUBLING));
      if (figure != null && doubling != null) {
        double gap = cell.contention().gapSeconds();
        points.add(new Plot.Point(gap, figure.mean() / doubling.mean(), 0));
      }
    }
    return points;
  }

  private List<Strategy> strategies(Cell cell) {
    return figures.keySet().stream()
        .filter(each -> each.cell().equals(cell))
        .map(Case::strategy)
        .toList();
  }

  private Plot.Series series(
      String name, List<Cell> cells, Strategy strategy, ToDoubleFunction<Cell> x) {
    List<Plot.Point> points = new ArrayList<>();
    for (Cell cell : cells) {
      Statistics figure = figures.get(new Case(cell, strategy));
      if (figure != null) {
        points.add(new Plot.Point(x.applyAsDouble(cell), figure.mean(), figure.ci95()));
      }
    }
    return new Plot.Series(name, points, false);
  }

  private Plot byRestart() {
    List<Cell> cells =
        List.of(0, Cell.RESTART_SECONDS, 60).stream()
            .map(seconds -> Cell.of(Contention.MODERATE).withRestarts(seconds))
            .toList();
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies(cells.getFirst())) {
      series.add(series(strategy.name(), cells, strategy, Cell::restartSeconds));
    }
    return new Plot(
        "completion-by-restart",
        "What restarts cost under moderate contention",
        "seconds of a restart",
        HOURS,
        series);
  }

  private Plot resized() {
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < resizing.size(); i++) {
      points.add(new Plot.Point(Resizing.EPOCHS.get(i), resizing.get(i).figure().mean(), 0));
    }
    return new Plot(
        "completion-by-resize",
        "One job: 4 workers, then 8",
        "epoch at which it is resized",
        "completion, hours",
        List.of(new Plot.Series(Resizing.POLICY, points, false)));
  }
}
