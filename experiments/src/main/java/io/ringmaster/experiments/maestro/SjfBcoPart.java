package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.sjfbco.SjfBcoCell;
import io.ringmaster.experiments.sjfbco.SjfBcoExperiment;
import io.ringmaster.policy.KnownLengths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The batch of {@link SjfBcoExperiment}, in the literal reading. */
record SjfBcoPart(UnaryOperator<Maestro> made) {
  static final String SEED = "sjf-bco";
  static final String MAKESPAN = "makespan";
  private static final String LONGEST_FIRST = "longest-first";
  private static final List<String> OBJECTIVES = List.of(MAKESPAN, "mixed", "jct");

  /** Of a run, in their order. */
  private static final List<String> FIGURES = List.of(MAKESPAN, "completion");

  /** Lengths that are told with an error of a quarter or so. */
  private static final String NOISE = "noise:0.25";

  private static final String ESTIMATE = "estimate";
  private static final int ABLATED_SERVERS = 20;
  private static final List<Double> ABLATED_CAPS = List.of(0.15, 0.60);

  /** A policy or the bound: both figures. */
  private record Batch(SjfBcoCell each) implements Trial {
    @Override
    public double[] run(long seed) {
      SjfBcoCell.Outcome outcome = each.run(seed);
      return new double[] {outcome.makespan(), outcome.completion()};
    }

    @Override
    public @Nullable KnownLengths lengths() {
      return each.lengths();
    }
  }

  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    for (double cap : SjfBcoExperiment.CAPS) {
      for (int servers : SjfBcoExperiment.SERVERS) {
        for (String objective : OBJECTIVES) {
          FIGURES.forEach(figure -> addExact(ratios, servers, cap, objective, figure));
        }
        addNoisy(ratios, servers, cap);
      }
    }
    for (double cap : ABLATED_CAPS) {
      addReduced(ratios, ABLATED_SERVERS, cap);
    }
    return ratios;
  }

  private void addExact(
      List<Ratio> ratios, int servers, double cap, String objective, String figure) {
    int at = FIGURES.indexOf(figure);
    Map<String, Object> setting = setting(servers, cap, objective, figure);
    Quantity own = own(Maestro.of(objective), servers, cap, at);
    Quantity seed = of(SEED, SjfBcoExperiment.literal(SEED, servers, cap), at);
    Quantity bound =
        of(SjfBcoCell.BOUND, SjfBcoExperiment.literal(SjfBcoCell.BOUND, servers, cap), at);
    ratios.add(new Ratio(setting, Metric.TO_SEED, own, List.of(seed)));
    ratios.add(new Ratio(setting, Metric.TO_BEST_BASELINE, own, baselines(servers, cap, at)));
    ratios.add(new Ratio(setting, Metric.TO_BOUND, own, List.of(bound)));
  }

  /** Good by makespan, good by mean completion, and the nearest to SJF-BCO. */
  private static List<Quantity> baselines(int servers, double cap, int at) {
    List<Quantity> baselines = new ArrayList<>();
    for (String policy : List.of(LONGEST_FIRST, "srsf", "list-scheduling")) {
      baselines.add(of(policy, SjfBcoExperiment.literal(policy, servers, cap), at));
    }
    SjfBcoCell shortest =
        SjfBcoExperiment.literal("sjf", servers, cap).with(Map.of("blocking", "false"));
    baselines.add(of("sjf-skipping", shortest, at));
    return baselines;
  }

  /** All are told the same wrong lengths. */
  private void addNoisy(List<Ratio> ratios, int servers, double cap) {
    Map<String, Object> setting = setting(servers, cap, MAKESPAN, MAKESPAN);
    setting.put("prediction", NOISE);
    Quantity own = own(Maestro.of(MAKESPAN).with(ESTIMATE, NOISE), servers, cap, 0);
    ratios.add(new Ratio(setting, Metric.TO_SEED, own, List.of(noisy(SEED, servers, cap))));
    ratios.add(
        new Ratio(
            setting, Metric.TO_BEST_BASELINE, own, List.of(noisy(LONGEST_FIRST, servers, cap))));
  }

  private static Quantity noisy(String policy, int servers, double cap) {
    SjfBcoCell exact = SjfBcoExperiment.literal(policy, servers, cap);
    return of(policy, exact.with(Map.of(ESTIMATE, NOISE)), 0);
  }

  private void addReduced(List<Ratio> ratios, int servers, double cap) {
    Quantity seed = of(SEED, SjfBcoExperiment.literal(SEED, servers, cap), 0);
    Map<String, Object> setting = setting(servers, cap, MAKESPAN, MAKESPAN);
    ratios.addAll(
        Maestro.of(MAKESPAN)
            .reduced(
                false,
                setting,
                Metric.TO_SEED,
                maestro -> own(maestro, servers, cap, 0),
                List.of(seed)));
  }

  private Quantity own(Maestro maestro, int servers, double cap, int at) {
    Maestro chosen = made.apply(maestro);
    SjfBcoCell each = SjfBcoExperiment.literal(chosen.policy(), servers, cap).with(chosen.given());
    return of(Maestro.NAME, each, at);
  }

  private static Quantity of(String name, SjfBcoCell each, int at) {
    return new Quantity(name, new Batch(each), at);
  }

  private static Map<String, Object> setting(
      int servers, double cap, String objective, String figure) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put(MaestroExperiment.EXPERIMENT, SEED);
    setting.put("servers", servers);
    setting.put("cap", cap);
    setting.put("objective", objective);
    setting.put("figure", figure);
    return setting;
  }
}
