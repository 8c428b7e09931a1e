package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.AllReduce;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The simulation of Capes, Raheja, Kemertas, Mohomed, "Dynamic Scheduling of MPI-based Distributed
 * Deep Learning Training Jobs", MLSys workshop at NeurIPS 2018 (arXiv 1908.08082): jobs of one kind
 * on 64 GPUs, with workers doubled where that saves the most time, or with the same number for all.
 * The paper's tables were not to hand, so no row has a figure of the paper.
 *
 * <p>Beyond it: the +1 greedy of Optimus, also where a power of two and one is slower than the
 * power of two; decisions every ten minutes; jobs of many lengths, with policies that favour short
 * ones; restarts that cost nothing or six times as much; and one job that is resized under way.
 */
public final class DoublingExperiment extends GridExperiment<DoublingCell, Double> {
  static final String METRIC = "completion_hours";
  private static final List<Integer> OTHER_RESTARTS = List.of(0, 60);

  private final List<DoublingCell> cells;

  public DoublingExperiment() {
    this(_ -> true);
  }

  /** Some of its cells alone. */
  DoublingExperiment(Predicate<DoublingCell> chosen) {
    super(
        "doubling",
        "Equal jobs that arrive over time on 64 GPUs: mean completion with doubled workers, with"
            + " one more at a time, and with fixed numbers.",
        "Capes, Raheja, Kemertas, Mohomed, MLSys workshop at NeurIPS 2018 (arXiv 1908.08082);"
            + " the paper's tables were not to hand");
    this.cells = cells().stream().filter(chosen).toList();
  }

  @Override
  protected Grid<DoublingCell, Double> grid() {
    return new Grid<>(cells, DoublingCell::completionHours);
  }

  private static List<DoublingCell> cells() {
    List<DoublingCell> cells = new ArrayList<>();
    for (Contention contention : Contention.values()) {
      add(cells, DoublingSetting.of(contention), Strategy.MAIN_AND_FITTED);
    }
    for (Contention contention : Contention.values()) {
      add(cells, DoublingSetting.of(contention).with(AllReduce.BINARY_BLOCKS), Strategy.MAIN);
    }
    for (Contention contention : Contention.values()) {
      add(cells, DoublingSetting.of(contention).withLogNormalLengths(), Strategy.ALL);
    }
    for (Contention contention : Contention.values()) {
      for (int seconds : OTHER_RESTARTS) {
        add(cells, DoublingSetting.of(contention).withRestarts(seconds), Strategy.RESIZING);
      }
    }
    return cells;
  }

  private static void add(
      List<DoublingCell> cells, DoublingSetting setting, List<Strategy> strategies) {
    strategies.forEach(strategy -> cells.add(new DoublingCell(setting, strategy)));
  }

  @Override
  protected Results results(Outcomes<DoublingCell, Double> hours, int draws) {
    List<Row> resizing = Resizing.rows();
    List<Row> rows = new ArrayList<>();
    for (DoublingCell each : cells) {
      Statistics figure = hours.over(each, Double::doubleValue);
      Strategy strategy = each.strategy();
      rows.add(
          new Row(each.setting().named(), strategy.name(), strategy.lengths(), METRIC, figure));
    }
    rows.addAll(resizing);
    return new Results(rows, new DoublingPlots(hours, resizing).all());
  }
}
