package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.doubling.Case;
import io.ringmaster.experiments.doubling.Cell;
import io.ringmaster.experiments.doubling.Contention;
import io.ringmaster.experiments.doubling.DoublingExperiment;
import io.ringmaster.experiments.doubling.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The elastic jobs of {@link DoublingExperiment}, of one length and of many. */
final class DoublingPart {
  static final String SEED = "doubling";
  static final String LENGTHS = "lengths";
  static final String EQUAL = "equal";
  static final String LOG_NORMAL = "log-normal";

  /** A strategy: mean completion. */
  private record Elastic(Case each) implements Trial {
    @Override
    public double[] run(long seed) {
      return new double[] {each.completionHours(seed)};
    }
  }

  private record Bound(Cell cell) implements Trial {
    @Override
    public double[] run(long seed) {
      return new double[] {Case.boundHours(cell, seed)};
    }
  }

  private final UnaryOperator<Maestro> made;

  DoublingPart(UnaryOperator<Maestro> made) {
    this.made = made;
  }

  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    for (Contention contention : Contention.values()) {
      add(ratios, Cell.of(contention));
    }
    for (Contention contention : Contention.values()) {
      add(ratios, Cell.of(contention).withLogNormalLengths());
    }
    addReduced(ratios, Cell.of(Contention.MODERATE));
    addReduced(ratios, Cell.of(Contention.EXTREME).withLogNormalLengths());
    return ratios;
  }

  private void add(List<Ratio> ratios, Cell cell) {
    Map<String, Object> setting = setting(cell);
    Quantity own = own(cell, Maestro.of("jct"));
    List<Quantity> baselines =
        Strategy.ALL.stream()
            .filter(strategy -> !strategy.policy().equals(Strategy.DOUBLING.policy()))
            .map(strategy -> of(cell, strategy))
            .toList();
    Quantity bound = Quantity.of("lower-bound", new Bound(cell));
    ratios.add(new Ratio(setting, Metric.TO_SEED, own, List.of(of(cell, Strategy.DOUBLING))));
    ratios.add(new Ratio(setting, Metric.TO_BEST_BASELINE, own, baselines));
    ratios.add(new Ratio(setting, Metric.TO_BOUND, own, List.of(bound)));
  }

  private void addReduced(List<Ratio> ratios, Cell cell) {
    for (Maestro.Reduced each : Maestro.of("jct").reduced(setting(cell))) {
      ratios.add(
          new Ratio(
              each.setting(),
              Metric.TO_SEED,
              own(cell, each.maestro()),
              List.of(of(cell, Strategy.DOUBLING))));
    }
  }

  private Quantity own(Cell cell, Maestro maestro) {
    Maestro chosen = made.apply(maestro);
    return of(cell, Strategy.elastic(Maestro.NAME, chosen.policy(), chosen.given()));
  }

  private static Quantity of(Cell cell, Strategy strategy) {
    return Quantity.of(strategy.name(), new Elastic(new Case(cell, strategy)));
  }

  private static Map<String, Object> setting(Cell cell) {
    Map<String, Object> setting = MaestroExperiment.setting(SEED, cell.setting());
    setting.put(LENGTHS, cell.logNormal() ? LOG_NORMAL : EQUAL);
    return setting;
  }
}
