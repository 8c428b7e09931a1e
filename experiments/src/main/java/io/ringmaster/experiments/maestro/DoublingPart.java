package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.doubling.Contention;
import io.ringmaster.experiments.doubling.DoublingCell;
import io.ringmaster.experiments.doubling.DoublingExperiment;
import io.ringmaster.experiments.doubling.DoublingSetting;
import io.ringmaster.experiments.doubling.Strategy;
import io.ringmaster.policy.KnownLengths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The elastic jobs of {@link DoublingExperiment}, of one length and of many. */
record DoublingPart(UnaryOperator<Maestro> made) {
  static final String SEED = "doubling";
  static final String LENGTHS = "lengths";
  static final String EQUAL = "equal";
  static final String LOG_NORMAL = "log-normal";

  /** A strategy: mean completion. */
  private record Elastic(DoublingCell each) implements Trial {
    @Override
    public double[] run(long seed) {
      return new double[] {each.completionHours(seed)};
    }

    @Override
    public KnownLengths lengths() {
      return each.strategy().lengths();
    }
  }

  private record Bound(DoublingSetting setting) implements Trial {
    @Override
    public double[] run(long seed) {
      return new double[] {DoublingCell.boundHours(setting, seed)};
    }

    @Override
    public @Nullable KnownLengths lengths() {
      return null;
    }
  }

  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    for (Contention contention : Contention.values()) {
      add(ratios, DoublingSetting.of(contention));
    }
    for (Contention contention : Contention.values()) {
      add(ratios, DoublingSetting.of(contention).withLogNormalLengths());
    }
    addReduced(ratios, DoublingSetting.of(Contention.MODERATE));
    addReduced(ratios, DoublingSetting.of(Contention.EXTREME).withLogNormalLengths());
    return ratios;
  }

  private void add(List<Ratio> ratios, DoublingSetting setting) {
    Map<String, Object> named = named(setting);
    Quantity own = own(setting, Maestro.of("jct"));
    List<Quantity> baselines =
        Strategy.ALL.stream()
            .filter(strategy -> !strategy.policy().equals(Strategy.DOUBLING.policy()))
            .map(strategy -> of(setting, strategy))
            .toList();
    Quantity bound = Quantity.of("lower-bound", new Bound(setting));
    ratios.add(new Ratio(named, Metric.TO_SEED, own, List.of(of(setting, Strategy.DOUBLING))));
    ratios.add(new Ratio(named, Metric.TO_BEST_BASELINE, own, baselines));
    ratios.add(new Ratio(named, Metric.TO_BOUND, own, List.of(bound)));
  }

  private void addReduced(List<Ratio> ratios, DoublingSetting setting) {
    ratios.addAll(
        Maestro.of("jct")
            .reduced(
                false,
                named(setting),
                Metric.TO_SEED,
                maestro -> own(setting, maestro),
                List.of(of(setting, Strategy.DOUBLING))));
  }

  private Quantity own(DoublingSetting setting, Maestro maestro) {
    Maestro chosen = made.apply(maestro);
    return of(setting, Strategy.elastic(Maestro.NAME, chosen.policy(), chosen.given()));
  }

  private static Quantity of(DoublingSetting setting, Strategy strategy) {
    return Quantity.of(strategy.name(), new Elastic(new DoublingCell(setting, strategy)));
  }

  private static Map<String, Object> named(DoublingSetting setting) {
    Map<String, Object> named = MaestroExperiment.setting(SEED, setting.named());
    named.put(LENGTHS, setting.logNormal() ? LOG_NORMAL : EQUAL);
    return named;
  }
}
