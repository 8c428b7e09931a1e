package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.gadget.GadgetCell;
import io.ringmaster.experiments.gadget.GadgetExperiment;
import io.ringmaster.experiments.gadget.GadgetSetting;
import io.ringmaster.experiments.gadget.Goal;
import io.ringmaster.policy.KnownLengths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The slots of {@link GadgetExperiment}, with reserved bandwidth and free moves. */
record GadgetPart(UnaryOperator<Maestro> made, Predicate<GadgetSetting> chosen) {
  static final String SEED = GadgetCell.GADGET;
  private static final Maestro MAESTRO = Maestro.of("utility");
  private static final int ABLATED_JOBS = 100;
  private static final double ABLATED_LOAD = 1;

  /** Progress of jobs that weigh the same, and what saturates by work: the two extremes. */
  private static final List<Goal> ABLATED_GOALS = List.of(Goal.ALL.getFirst(), Goal.ALL.get(3));

  /** A policy: utility, by goal. */
  private record Slotted(GadgetCell each) implements Trial {
    @Override
    public double[] run(long seed) {
      return each.run(seed).utilities().stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public KnownLengths lengths() {
      return each.lengths();
    }
  }

  List<Ratio> all() {
    List<GadgetSetting> settings = GadgetExperiment.reserved().stream().filter(chosen).toList();
    List<Ratio> ratios = new ArrayList<>();
    settings.forEach(setting -> Goal.ALL.forEach(goal -> add(ratios, setting, goal)));
    settings.stream()
        .filter(setting -> setting.jobs() == ABLATED_JOBS && setting.load() == ABLATED_LOAD)
        .forEach(setting -> ABLATED_GOALS.forEach(goal -> addReduced(ratios, setting, goal)));
    return ratios.stream().map(Ratio::whereMoreIsBetter).toList();
  }

  private void add(List<Ratio> ratios, GadgetSetting setting, Goal goal) {
    Map<String, Object> named = MaestroExperiment.setting(SEED, setting.named(goal));
    Quantity own = own(setting, goal, MAESTRO);
    List<Quantity> baselines =
        GadgetExperiment.baselines(setting).stream()
            .map(each -> new Quantity(each.policy(), new Slotted(each), Goal.ALL.indexOf(goal)))
            .toList();
    ratios.add(new Ratio(named, Metric.TO_SEED, own, List.of(seed(setting, goal))));
    ratios.add(new Ratio(named, Metric.TO_BEST_BASELINE, own, baselines));
  }

  private void addReduced(List<Ratio> ratios, GadgetSetting setting, Goal goal) {
    Map<String, Object> named = MaestroExperiment.setting(SEED, setting.named(goal));
    List<Quantity> seed = List.of(seed(setting, goal));
    ratios.addAll(
        MAESTRO.reduced(
            false, named, Metric.TO_SEED, maestro -> own(setting, goal, maestro), seed));
  }

  private static Quantity seed(GadgetSetting setting, Goal goal) {
    return Quantity.of(
        SEED, new Slotted(GadgetExperiment.pursuing(goal, setting, GadgetCell.GADGET, Map.of())));
  }

  private Quantity own(GadgetSetting setting, Goal goal, Maestro maestro) {
    Maestro own = made.apply(maestro);
    return Quantity.of(
        Maestro.NAME,
        new Slotted(GadgetExperiment.pursuing(goal, setting, own.policy(), own.given())));
  }
}
