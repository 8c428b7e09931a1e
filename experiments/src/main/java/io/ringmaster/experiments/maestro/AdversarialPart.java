package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Completion;
import io.ringmaster.experiments.Variants;
import io.ringmaster.experiments.asrpt.ASrptSetting;
import io.ringmaster.experiments.asrpt.Prediction;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Lengths that are told wrong on purpose. Who trusts them may do worse than who never asks: first
 * come, first served, consolidated.
 */
final class AdversarialPart {
  static final String NAME = "adversarial";
  static final String PREDICTION = "prediction";
  private static final String ESTIMATE = "estimate";

  /** The truth for comparison, then the adversaries. */
  static final List<String> PREDICTIONS = List.of("perfect", "reversed", "equal", "noise:3");

  private static final String WORST = "reversed";
  private static final List<Double> LOADS = List.of(0.9, 1.1);
  private static final int BANDWIDTH = 25;

  /** Jobs that a generator lets come over time. */
  record Workload(String name, double load, Map<String, String> given) {
    /** Those of A-SRPT. */
    static Workload mix(ASrptSetting setting) {
      return new Workload(ASrptPart.SEED, setting.load(), setting.given());
    }

    /** Some days like those of Philly, with contention. */
    static Workload days(int servers, int days) {
      Map<String, String> given = Map.of("servers", "" + servers, "days", "" + days, "load", "1.0");
      return new Workload("philly", 1, given);
    }

    Generated draw(long seed) {
      return Generators.generate(name, given, seed);
    }
  }

  /** A policy: mean completion. */
  private record Misled(Workload workload, String policy, Map<String, String> given)
      implements Trial {
    @Override
    public double[] run(long seed) {
      Generated draw = workload.draw(seed);
      RunResult result =
          ValidatedRun.of(
              draw.cluster(),
              draw.jobs(),
              Variants.run(policy, given, seed),
              Double.POSITIVE_INFINITY);
      return new double[] {Completion.meanSeconds(draw.jobs(), result)};
    }

    @Override
    public KnownLengths lengths() {
      return Variants.run(policy, given, 0).lengths();
    }
  }

  private final UnaryOperator<Maestro> made;
  private final List<Workload> workloads = new ArrayList<>();

  AdversarialPart(UnaryOperator<Maestro> made, ASrptSetting.Scale scale, Workload days) {
    this.made = made;
    for (double load : LOADS) {
      workloads.add(Workload.mix(new ASrptSetting(scale, load, BANDWIDTH, Prediction.PERFECT)));
    }
    workloads.add(days);
  }

  List<Ratio> all() {
    List<Ratio> ratios = new ArrayList<>();
    for (Workload workload : workloads) {
      PREDICTIONS.forEach(prediction -> add(ratios, workload, prediction));
    }
    for (Workload workload : workloads) {
      Map<String, Object> setting = setting(workload, WORST);
      Maestro misled = Maestro.of("jct").with(ESTIMATE, WORST);
      ratios.addAll(
          misled.reduced(
              true, setting, Metric.TO_FIFO, maestro -> own(workload, maestro), fifos(workload)));
    }
    return ratios;
  }

  private void add(List<Ratio> ratios, Workload workload, String prediction) {
    Map<String, Object> setting = setting(workload, prediction);
    Maestro maestro = Maestro.of("jct").with(ESTIMATE, prediction);
    ratios.add(toFifo(setting, workload, own(workload, maestro)));
    ratios.add(
        toFifo(setting, workload, of("srsf", workload, "srsf", Map.of(ESTIMATE, prediction))));
    Map<String, String> shortest = Map.of(ESTIMATE, prediction, "blocking", "false");
    ratios.add(toFifo(setting, workload, of("sjf", workload, "sjf", shortest)));
  }

  private static Ratio toFifo(Map<String, Object> setting, Workload workload, Quantity own) {
    return new Ratio(setting, Metric.TO_FIFO, own, fifos(workload));
  }

  private static List<Quantity> fifos(Workload workload) {
    return List.of(fifo("fifo", workload, true), fifo("fifo-skipping", workload, false));
  }

  private static Quantity fifo(String name, Workload workload, boolean blocking) {
    return of(
        name, workload, "fifo", Map.of("placement", "consolidate", "blocking", "" + blocking));
  }

  private Quantity own(Workload workload, Maestro maestro) {
    Maestro chosen = made.apply(maestro);
    return of(Maestro.NAME, workload, chosen.policy(), chosen.given());
  }

  private static Quantity of(
      String name, Workload workload, String policy, Map<String, String> given) {
    return Quantity.of(name, new Misled(workload, policy, given));
  }

  private static Map<String, Object> setting(Workload workload, String prediction) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put(MaestroExperiment.EXPERIMENT, NAME);
    setting.put("workload", workload.name());
    setting.put("load", workload.load());
    setting.put(PREDICTION, prediction);
    return setting;
  }
}
