package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.gadget.Case;
import io.ringmaster.experiments.gadget.Cell;
import io.ringmaster.experiments.gadget.GadgetExperiment;
import io.ringmaster.experiments.gadget.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The slots of {@link GadgetExperiment}, with reserved bandwidth and free moves. */
final class GadgetPart {
  static final String SEED = Case.GADGET;
  private static final Maestro MAESTRO = Maestro.of("utility");
  private static final int ABLATED_JOBS = 100;
  private static final double ABLATED_LOAD = 1;

  /** Progress of jobs that weigh the same, and what saturates by work: the two extremes. */
  private static final List<Goal> ABLATED_GOALS = List.of(Goal.ALL.getFirst(), Goal.ALL.get(3));

  /** A policy: utility, by goal. */
  private record Slotted(Case each) implements Trial {
    @Override
    public double[] run(long seed) {
      return each.run(seed).utilities().stream().mapToDouble(Double::doubleValue).toArray();
    }
  }

  private final UnaryOperator<Maestro> made;
  private final Predicate<Cell> chosen;

  /** Some cells. */
  GadgetPart(UnaryOperator<Maestro> made, Predicate<Cell> chosen) {
    this.made = made;
    this.chosen = chosen;
  }

  List<Ratio> all() {
    List<Cell> cells = GadgetExperiment.grid().stream().filter(chosen).toList();
    List<Ratio> ratios = new ArrayList<>();
    cells.forEach(cell -> Goal.ALL.forEach(goal -> add(ratios, cell, goal)));
    cells.stream()
        .filter(cell -> cell.jobs() == ABLATED_JOBS && cell.load() == ABLATED_LOAD)
        .forEach(cell -> ABLATED_GOALS.forEach(goal -> addReduced(ratios, cell, goal)));
    return ratios.stream().map(Ratio::whereMoreIsBetter).toList();
  }

  private void add(List<Ratio> ratios, Cell cell, Goal goal) {
    Map<String, Object> setting = MaestroExperiment.setting(SEED, cell.setting(goal));
    Quantity own = own(cell, goal, MAESTRO);
    List<Quantity> baselines =
        GadgetExperiment.baselines(cell).stream()
            .map(each -> new Quantity(each.policy(), new Slotted(each), Goal.ALL.indexOf(goal)))
            .toList();
    ratios.add(new Ratio(setting, Metric.TO_SEED, own, List.of(seed(cell, goal))));
    ratios.add(new Ratio(setting, Metric.TO_BEST_BASELINE, own, baselines));
  }

  private void addReduced(List<Ratio> ratios, Cell cell, Goal goal) {
    Map<String, Object> setting = MaestroExperiment.setting(SEED, cell.setting(goal));
    for (Maestro.Reduced each : MAESTRO.reduced(setting)) {
      ratios.add(
          new Ratio(
              each.setting(),
              Metric.TO_SEED,
              own(cell, goal, each.maestro()),
              List.of(seed(cell, goal))));
    }
  }

  private static Quantity seed(Cell cell, Goal goal) {
    return Quantity.of(
        SEED, new Slotted(GadgetExperiment.pursuing(goal, cell, Case.GADGET, Map.of())));
  }

  private Quantity own(Cell cell, Goal goal, Maestro maestro) {
    Maestro own = made.apply(maestro);
    return Quantity.of(
        Maestro.NAME,
        new Slotted(GadgetExperiment.pursuing(goal, cell, own.policy(), own.given())));
  }
}
