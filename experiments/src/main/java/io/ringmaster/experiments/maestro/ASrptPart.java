package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.asrpt.ASrptExperiment;
import io.ringmaster.experiments.asrpt.Case;
import io.ringmaster.experiments.asrpt.Cell;
import io.ringmaster.experiments.asrpt.Prediction;
import io.ringmaster.experiments.asrpt.Strategy;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.workload.Generated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The jobs of {@link ASrptExperiment}, which come over time. */
final class ASrptPart {
  static final String SEED = "a-srpt";
  private static final List<Prediction> PREDICTIONS =
      List.of(Prediction.PERFECT, Prediction.GROUP_MEAN);
  private static final double ABLATED_LOAD = 1.1;
  private static final int ABLATED_BANDWIDTH = 25;

  /** A policy: mean completion. */
  private record Online(Case each) implements Trial {
    @Override
    public double[] run(long seed) {
      return new double[] {each.completionSeconds(seed)};
    }
  }

  /** What no schedule can beat, whatever is known of lengths. */
  private record Bound(Cell cell) implements Trial {
    @Override
    public double[] run(long seed) {
      Generated draw = cell.draw(seed);
      return new double[] {LowerBounds.of(draw.jobs(), draw.cluster()).meanJctSeconds()};
    }
  }

  private final UnaryOperator<Maestro> made;
  private final Cell.Scale scale;

  ASrptPart(UnaryOperator<Maestro> made, Cell.Scale scale) {
    this.made = made;
    this.scale = scale;
  }

  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    for (Prediction prediction : PREDICTIONS) {
      for (int bandwidth : ASrptExperiment.BANDWIDTHS) {
        for (double load : ASrptExperiment.LOADS) {
          add(ratios, new Cell(scale, load, bandwidth, prediction));
        }
      }
    }
    for (Prediction prediction : PREDICTIONS) {
      addReduced(ratios, new Cell(scale, ABLATED_LOAD, ABLATED_BANDWIDTH, prediction));
    }
    return ratios;
  }

  private void add(List<Ratio> ratios, Cell cell) {
    Map<String, Object> setting = MaestroExperiment.setting(SEED, cell.setting());
    Quantity own = own(cell, Maestro.of("jct"));
    List<Quantity> seed = List.of(of(cell, Strategy.RESERVE));
    Cell known = new Cell(scale, cell.load(), cell.bandwidth(), Prediction.PERFECT);
    ratios.add(new Ratio(setting, Metric.TO_SEED, own, seed));
    ratios.add(new Ratio(setting, Metric.OF_MEANS_TO_SEED, own, seed));
    ratios.add(new Ratio(setting, Metric.TO_BEST_BASELINE, own, baselines(cell)));
    ratios.add(
        new Ratio(
            setting, Metric.TO_BOUND, own, List.of(Quantity.of("lower-bound", new Bound(known)))));
  }

  /** Those with the reservation of {@code a-srpt}, and those that stop jobs. */
  private static List<Quantity> baselines(Cell cell) {
    List<Strategy> baselines = new ArrayList<>(Strategy.RESERVED);
    for (String policy : List.of("srsf", "srtf")) {
      baselines.add(new Strategy(policy, policy, Map.of()));
    }
    return baselines.stream().map(strategy -> of(cell, strategy)).toList();
  }

  private void addReduced(List<Ratio> ratios, Cell cell) {
    Map<String, Object> setting = MaestroExperiment.setting(SEED, cell.setting());
    for (Maestro.Reduced each : Maestro.of("jct").reduced(setting)) {
      ratios.add(
          new Ratio(
              each.setting(),
              Metric.TO_SEED,
              own(cell, each.maestro()),
              List.of(of(cell, Strategy.RESERVE))));
    }
  }

  private Quantity own(Cell cell, Maestro maestro) {
    Maestro chosen = made.apply(maestro);
    return of(cell, new Strategy(Maestro.NAME, chosen.policy(), chosen.given()));
  }

  private static Quantity of(Cell cell, Strategy strategy) {
    return Quantity.of(strategy.name(), new Online(new Case(cell, strategy)));
  }
}
