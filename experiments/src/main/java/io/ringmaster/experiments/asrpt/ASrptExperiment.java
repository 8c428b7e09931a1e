package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.List;
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
public final class ASrptExperiment extends GridExperiment<ASrptCell, Double> {
  public static final List<Double> LOADS = List.of(0.7, 0.9, 1.1);
  public static final List<Integer> BANDWIDTHS = List.of(10, 25, 100);

  /** Where lengths are also predicted. */
  private static final double PREDICTED_LOAD = 0.9;

  private static final int PREDICTED_BANDWIDTH = 25;

  private static final int DRAWS = 5;

  private final ASrptSetting.Scale scale;
  private final UnaryOperator<Strategy> made;

  public ASrptExperiment() {
    this(ASrptSetting.Scale.FULL, strategy -> strategy);
  }

  /** At another scale, with strategies that are made in another way. */
  ASrptExperiment(ASrptSetting.Scale scale, UnaryOperator<Strategy> made) {
    super(
        "a-srpt",
        "Jobs with pipeline stages on 32 servers of 8 GPUs: mean completion under A-SRPT and its"
            + " baselines, by load, bandwidth and what is known of lengths.",
        "Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563); the paper's settings and"
            + " numbers were not to hand");
    this.scale = scale;
    this.made = made;
  }

  @Override
  public int defaultDraws() {
    return DRAWS;
  }

  @Override
  public String columns() {
    return "load";
  }

  private List<ASrptSetting> perfect() {
    List<ASrptSetting> settings = new ArrayList<>();
    for (int bandwidth : BANDWIDTHS) {
      for (double load : LOADS) {
        settings.add(new ASrptSetting(scale, load, bandwidth, Prediction.PERFECT));
      }
    }
    return settings;
  }

  private List<ASrptSetting> settings() {
    List<ASrptSetting> settings = perfect();
    predicted().stream()
        .filter(setting -> setting.prediction() != Prediction.PERFECT)
        .forEach(settings::add);
    return settings;
  }

  private List<ASrptSetting> predicted() {
    return List.of(Prediction.values()).stream()
        .map(prediction -> new ASrptSetting(scale, PREDICTED_LOAD, PREDICTED_BANDWIDTH, prediction))
        .toList();
  }

  /** Those of the rows, and behind them what the bounds need. */
  @Override
  protected Grid<ASrptCell, Double> grid() {
    List<ASrptCell> cells = new ArrayList<>();
    for (ASrptSetting setting : settings()) {
      Strategy.ALL.forEach(s -> cells.add(new ASrptCell(setting, made.apply(s))));
    }
    for (ASrptSetting setting : perfect()) {
      cells.add(new ASrptCell(setting, made.apply(Strategy.NO_DELAY)));
    }
    return new Grid<>(cells, ASrptCell::completionSeconds);
  }

  @Override
  protected Results results(Outcomes<ASrptCell, Double> outcomes, int draws) {
    Means means = new Means(outcomes, made);
    List<Row> rows = new ArrayList<>();
    for (ASrptSetting setting : settings()) {
      for (Strategy strategy : Strategy.ALL) {
        Statistics figure = means.figure(setting, strategy);
        rows.add(
            new Row(
                setting.named(),
                strategy.name(),
                new ASrptCell(setting, strategy).lengths(),
                ASrptCell.METRIC,
                figure));
      }
    }
    return new Results(
        rows,
        new ASrptPlots(perfect(), predicted(), means).all(),
        new Bounds(perfect(), means).all());
  }
}
