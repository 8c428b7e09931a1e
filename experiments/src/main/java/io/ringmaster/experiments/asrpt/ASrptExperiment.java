package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * Jobs with pipeline stages that come over time, as in Luo, Liu, Lee, Shroff, "Prediction-Assisted
 * Online Distributed Deep Learning Workload Scheduling in GPU Clusters", INFOCOM 2025 (arXiv
 * 2501.05563): mean completion under A-SRPT and its baselines, by load and by bandwidth, and with
 * lengths that are not known. The paper's settings and numbers were not to hand, so no row has a
 * figure of the paper; the workload is that of the generator {@code a-srpt}.
 *
 * <p>Beyond the paper: the baselines with the reservation of {@code a-srpt}, and with other
 * placements.
 */
public final class ASrptExperiment implements Experiment {
  public static final List<Double> LOADS = List.of(0.7, 0.9, 1.1);
  public static final List<Integer> BANDWIDTHS = List.of(10, 25, 100);

  /** Where lengths are also predicted. */
  private static final double PREDICTED_LOAD = 0.9;

  private static final int PREDICTED_BANDWIDTH = 25;

  private static final int DRAWS = 5;

  private final Cell.Scale scale;
  private final UnaryOperator<Strategy> made;

  public ASrptExperiment() {
    this(Cell.Scale.FULL, strategy -> strategy);
  }

  /** At another scale, with strategies that are made in another way. */
  ASrptExperiment(Cell.Scale scale, UnaryOperator<Strategy> made) {
    this.scale = scale;
    this.made = made;
  }

  @Override
  public String name() {
    return "a-srpt";
  }

  @Override
  public String summary() {
    return "Jobs with pipeline stages on 32 servers of 8 GPUs: mean completion under A-SRPT and its"
        + " baselines, by load, bandwidth and what is known of lengths.";
  }

  @Override
  public String source() {
    return "Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563); the paper's settings and"
        + " numbers were not to hand";
  }

  @Override
  public int defaultDraws() {
    return DRAWS;
  }

  @Override
  public String columns() {
    return "load";
  }

  @Override
  public long steps(int draws) {
    return (long) draws * cases().size();
  }

  private List<Cell> perfect() {
    List<Cell> cells = new ArrayList<>();
    for (int bandwidth : BANDWIDTHS) {
      for (double load : LOADS) {
        cells.add(new Cell(scale, load, bandwidth, Prediction.PERFECT));
      }
    }
    return cells;
  }

  private List<Cell> cells() {
    List<Cell> cells = perfect();
    predicted().stream()
        .filter(cell -> cell.prediction() != Prediction.PERFECT)
        .forEach(cells::add);
    return cells;
  }

  private List<Cell> predicted() {
    return List.of(Prediction.values()).stream()
        .map(prediction -> new Cell(scale, PREDICTED_LOAD, PREDICTED_BANDWIDTH, prediction))
        .toList();
  }

  /** Those of the rows, and behind them what the bounds need. */
  private List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cells().forEach(cell -> Strategy.ALL.forEach(s -> cases.add(new Case(cell, made.apply(s)))));
    perfect().forEach(cell -> cases.add(new Case(cell, made.apply(Strategy.NO_DELAY))));
    return cases;
  }

  @Override
  public Results run(int draws, int threads, LongConsumer done) {
    List<Case> cases = cases();
    List<Statistics> figures = Case.figures(cases, draws, threads, done);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < cells().size() * Strategy.ALL.size(); i++) {
      Case each = cases.get(i);
      rows.add(
          new Row(
              each.cell().setting(), each.strategy().name(), Case.METRIC, figures.get(i), null));
    }
    Means means = new Means(cases, figures);
    return new Results(
        rows,
        new ASrptPlots(perfect(), predicted(), means).all(),
        new Bounds(perfect(), means).all());
  }
}
