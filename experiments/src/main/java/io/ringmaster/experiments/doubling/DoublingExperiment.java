package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.AllReduce;
import io.ringmaster.runs.Parallel;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
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
public final class DoublingExperiment implements Experiment {
  static final String METRIC = "completion_hours";
  private static final List<Integer> OTHER_RESTARTS = List.of(0, 60);

  private final List<Case> cases;

  public DoublingExperiment() {
    this(_ -> true);
  }

  /** Some of its cases alone. */
  DoublingExperiment(Predicate<Case> chosen) {
    this.cases = cases().stream().filter(chosen).toList();
  }

  @Override
  public String name() {
    return "doubling";
  }

  @Override
  public String summary() {
    return "Equal jobs that arrive over time on 64 GPUs: mean completion with doubled workers, with"
        + " one more at a time, and with fixed numbers.";
  }

  @Override
  public String source() {
    return "Capes, Raheja, Kemertas, Mohomed, MLSys workshop at NeurIPS 2018 (arXiv 1908.08082);"
        + " the paper's tables were not to hand";
  }

  @Override
  public long steps(int draws) {
    return (long) draws * cases.size();
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Contention contention : Contention.values()) {
      add(cases, Cell.of(contention), Strategy.MAIN_AND_FITTED);
    }
    for (Contention contention : Contention.values()) {
      add(cases, Cell.of(contention).with(AllReduce.BINARY_BLOCKS), Strategy.MAIN);
    }
    for (Contention contention : Contention.values()) {
      add(cases, Cell.of(contention).withLogNormalLengths(), Strategy.ALL);
    }
    for (Contention contention : Contention.values()) {
      for (int seconds : OTHER_RESTARTS) {
        add(cases, Cell.of(contention).withRestarts(seconds), Strategy.RESIZING);
      }
    }
    return cases;
  }

  private static void add(List<Case> cases, Cell cell, List<Strategy> strategies) {
    strategies.forEach(strategy -> cases.add(new Case(cell, strategy)));
  }

  @Override
  public Results run(int draws, int threads, LongConsumer done) {
    int n = cases.size();
    List<Double> hours =
        Parallel.map(draws * n, threads, done, i -> cases.get(i % n).completionHours(i / n + 1));
    Map<Case, Statistics> figures = new LinkedHashMap<>();
    for (int c = 0; c < n; c++) {
      double[] values = new double[draws];
      for (int draw = 0; draw < draws; draw++) {
        values[draw] = hours.get(draw * n + c);
      }
      figures.put(cases.get(c), Statistics.of(values));
    }
    List<Row> resizing = Resizing.rows();
    List<Row> rows = new ArrayList<>();
    figures.forEach((each, figure) ->
        rows.add(new Row(each.cell().setting(), each.strategy().name(), METRIC, figure, null)));
    rows.addAll(resizing);
    return new Results(rows, new DoublingPlots(figures, resizing).all());
  }
}
