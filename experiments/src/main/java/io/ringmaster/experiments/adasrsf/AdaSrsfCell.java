package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.adasrsf.Workload.Shape;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A gate and a placement at a load, as run on each draw. */
record AdaSrsfCell(
    Placing placing, AdaSrsfExperiment.NamedGate gate, int scale, int arrivalSeconds) {
  private static final int MILLIS_PER_SECOND = 1000;

  AdaSrsfCell with(AdaSrsfExperiment.NamedGate other) {
    return new AdaSrsfCell(placing, other, scale, arrivalSeconds);
  }

  String policy() {
    return switch (placing) {
      case Placing.FirstFit() -> "first-fit";
      case Placing.Random() -> "random";
      case Placing.LeastWork _ -> gate.adaptive() ? AdaSrsfExperiment.ADA : "srsf-" + gate.name();
    };
  }

  Map<String, Object> setting() {
    Map<String, Object> setting = new LinkedHashMap<>();
    if (placing instanceof Placing.LeastWork(int kappa)) {
      setting.put("kappa", kappa);
    } else {
      setting.put("placement", policy());
    }
    setting.put("gate", gate.name());
    if (scale != 1) {
      setting.put("scale", scale);
    }
    if (arrivalSeconds != AdaSrsfExperiment.ARRIVAL_SECONDS * scale) {
      setting.put("arrivals_s", arrivalSeconds);
    }
    return Collections.unmodifiableMap(setting);
  }

  Outcome run(long seed) {
    Shape shape = Shape.scaled(scale).over(arrivalSeconds * MILLIS_PER_SECOND);
    Workload workload = Workload.draw(seed, shape);
    TaskSimulation simulation =
        new TaskSimulation(
            workload, Machines.PAPER, AdaSrsfExperiment.COST, placing, gate.gate(), seed);
    return Outcome.of(workload, simulation.run());
  }
}
