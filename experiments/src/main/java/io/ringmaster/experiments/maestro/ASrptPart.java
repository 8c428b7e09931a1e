package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.asrpt.ASrptCell;
import io.ringmaster.experiments.asrpt.ASrptExperiment;
import io.ringmaster.experiments.asrpt.ASrptSetting;
import io.ringmaster.experiments.asrpt.Prediction;
import io.ringmaster.experiments.asrpt.Strategy;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.workload.Generated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The jobs of {@link ASrptExperiment}, which come over time. */
record ASrptPart(UnaryOperator<Maestro> made, ASrptSetting.Scale scale) {
  static final String SEED = "a-srpt";
  private static final List<Prediction> PREDICTIONS =
      List.of(Prediction.PERFECT, Prediction.GROUP_MEAN);
  private static final double ABLATED_LOAD = 1.1;
  private static final int ABLATED_BANDWIDTH = 25;

  /** A policy: mean completion. */
  private record Online(ASrptCell each) implements Trial {
    @Override
    public double[] run(long seed) {
      return new double[] {each.completionSeconds(seed)};
    }

    @Override
    public KnownLengths lengths() {
      return each.lengths();
    }
  }

  /** What no schedule can beat, whatever is known of lengths. */
  private record Bound(ASrptSetting setting) implements Trial {
    @Override
    public double[] run(long seed) {
      Generated draw = setting.draw(seed);
      return new double[] {LowerBounds.of(draw.jobs(), draw.cluster()).meanJctSeconds()};
    }

    @Override
    public @Nullable KnownLengths lengths() {
      return null;
    }
  }

  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    for (Prediction prediction : PREDICTIONS) {
      for (int bandwidth : ASrptExperiment.BANDWIDTHS) {
        for (double load : ASrptExperiment.LOADS) {
          add(ratios, new ASrptSetting(scale, load, bandwidth, prediction));
        }
      }
    }
    for (Prediction prediction : PREDICTIONS) {
      addReduced(ratios, new ASrptSetting(scale, ABLATED_LOAD, ABLATED_BANDWIDTH, prediction));
    }
    return ratios;
  }

  private void add(List<Ratio> ratios, ASrptSetting setting) {
    Map<String, Object> named = MaestroExperiment.setting(SEED, setting.named());
    Quantity own = own(setting, Maestro.of("jct"));
    List<Quantity> seed = List.of(of(setting, Strategy.RESERVE));
    ASrptSetting known =
        new ASrptSetting(scale, setting.load(), setting.bandwidth(), Prediction.PERFECT);
    ratios.add(new Ratio(named, Metric.TO_SEED, own, seed));
    ratios.add(new Ratio(named, Metric.OF_MEANS_TO_SEED, own, seed));
    ratios.add(new Ratio(named, Metric.TO_BEST_BASELINE, own, baselines(setting)));
    ratios.add(
        new Ratio(
            named, Metric.TO_BOUND, own, List.of(Quantity.of("lower-bound", new Bound(known)))));
  }

  /** Those with the reservation of {@code a-srpt}, and those that stop jobs. */
  private static List<Quantity> baselines(ASrptSetting setting) {
    List<Strategy> baselines = new ArrayList<>(Strategy.RESERVED);
    for (String policy : List.of("srsf", "srtf")) {
      baselines.add(new Strategy(policy, policy, Map.of()));
    }
    return baselines.stream().map(strategy -> of(setting, strategy)).toList();
  }

  private void addReduced(List<Ratio> ratios, ASrptSetting setting) {
    Map<String, Object> named = MaestroExperiment.setting(SEED, setting.named());
    ratios.addAll(
        Maestro.of("jct")
            .reduced(
                true,
                named,
                Metric.TO_SEED,
                maestro -> own(setting, maestro),
                List.of(of(setting, Strategy.RESERVE))));
  }

  private Quantity own(ASrptSetting setting, Maestro maestro) {
    Maestro chosen = made.apply(maestro);
    return of(setting, new Strategy(Maestro.NAME, chosen.policy(), chosen.given()));
  }

  private static Quantity of(ASrptSetting setting, Strategy strategy) {
    return Quantity.of(strategy.name(), new Online(new ASrptCell(setting, strategy)));
  }
}
