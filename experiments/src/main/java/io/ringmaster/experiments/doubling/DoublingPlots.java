package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.AllReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The plots of the experiment. */
record DoublingPlots(Outcomes<DoublingCell, Double> hours, List<Row> resizing) {
  private static final String GAP = "mean seconds between arrivals";
  private static final String HOURS = "mean completion, hours";
  private static final String OVER_DOUBLING = "mean completion over that of doubling";

  List<Plot> all() {
    return List.of(
        byGap("completion-by-gap", "Completion by how dense jobs come", DoublingSetting::of),
        byGap(
            "completion-by-gap-binary-blocks",
            "The same, with binary blocks",
            contention -> DoublingSetting.of(contention).with(AllReduce.BINARY_BLOCKS)),
        byGap(
            "completion-by-gap-log-normal",
            "The same, with log-normal lengths",
            contention -> DoublingSetting.of(contention).withLogNormalLengths()),
        hours("hours-by-gap", "Completion of all strategies", DoublingSetting::of),
        hours(
            "hours-by-gap-binary-blocks",
            "The same, with binary blocks",
            contention -> DoublingSetting.of(contention).with(AllReduce.BINARY_BLOCKS)),
        hours(
            "hours-by-gap-log-normal",
            "The same, with log-normal lengths",
            contention -> DoublingSetting.of(contention).withLogNormalLengths()),
        byRestart(),
        resized());
  }

  /** A line for every strategy of a kind of setting, with intervals. */
  private Plot hours(String name, String title, Function<Contention, DoublingSetting> setting) {
    List<DoublingSetting> settings = List.of(Contention.values()).stream().map(setting).toList();
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies(settings.getFirst())) {
      series.add(series(settings, strategy, each -> each.contention().gapSeconds()));
    }
    return new Plot(name, title, GAP, HOURS, series);
  }

  /** A line for each strategy of a kind of setting, as parts of what doubling takes. */
  private Plot byGap(String name, String title, Function<Contention, DoublingSetting> setting) {
    List<DoublingSetting> settings = List.of(Contention.values()).stream().map(setting).toList();
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies(settings.getFirst())) {
      if (Strategy.PLOTTED.contains(strategy)) {
        series.add(new Plot.Series(strategy.name(), overDoubling(settings, strategy)));
      }
    }
    return new Plot(name, title, GAP, OVER_DOUBLING, series);
  }

  private List<Plot.Point> overDoubling(List<DoublingSetting> settings, Strategy strategy) {
    List<Plot.Point> points = new ArrayList<>();
    for (DoublingSetting setting : settings) {
      DoublingCell own = new DoublingCell(setting, strategy);
      DoublingCell doubling = new DoublingCell(setting, Strategy.DOUBLING);
      if (hours.has(own) && hours.has(doubling)) {
        double ratio = mean(own) / mean(doubling);
        points.add(new Plot.Point(setting.contention().gapSeconds(), ratio));
      }
    }
    return points;
  }

  private double mean(DoublingCell cell) {
    return hours.over(cell, Double::doubleValue).mean();
  }

  private List<Strategy> strategies(DoublingSetting setting) {
    return hours.cells(each -> each.setting().equals(setting)).stream()
        .map(DoublingCell::strategy)
        .toList();
  }

  private Plot.Series series(
      List<DoublingSetting> settings, Strategy strategy, ToDoubleFunction<DoublingSetting> x) {
    List<DoublingCell> cells =
        settings.stream().map(each -> new DoublingCell(each, strategy)).filter(hours::has).toList();
    return hours.series(
        strategy.name(), cells, each -> x.applyAsDouble(each.setting()), Double::doubleValue);
  }

  private Plot byRestart() {
    List<DoublingSetting> settings =
        List.of(0, DoublingSetting.RESTART_SECONDS, 60).stream()
            .map(seconds -> DoublingSetting.of(Contention.MODERATE).withRestarts(seconds))
            .toList();
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies(settings.getFirst())) {
      series.add(series(settings, strategy, DoublingSetting::restartSeconds));
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
      points.add(new Plot.Point(Resizing.EPOCHS.get(i), resizing.get(i).figure().mean()));
    }
    return new Plot(
        "completion-by-resize",
        "One job: 4 workers, then 8",
        "epoch at which it is resized",
        "completion, hours",
        List.of(new Plot.Series(Resizing.POLICY, points)));
  }
}
