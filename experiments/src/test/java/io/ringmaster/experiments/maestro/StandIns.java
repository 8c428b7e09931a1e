package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.asrpt.ASrptSetting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Policies that every version has, to tell what the experiment makes of one. */
final class StandIns {
  /** The largest jobs of the mix take four servers. */
  static final MaestroExperiment.Scale SMALL =
      new MaestroExperiment.Scale(
          new ASrptSetting.Scale(5, 60),
          setting -> setting.jobs() == 100 && setting.load() == 1,
          AdversarialPart.Workload.days(8, 1),
          AdversarialPart.Workload.days(12, 1));

  private StandIns() {}

  /** By the objective: one that is among the baselines, or GADGET itself. */
  static Maestro of(Maestro maestro) {
    Map<String, String> given = new LinkedHashMap<>(maestro.given());
    String objective = Objects.requireNonNull(given.remove("objective"));
    String policy =
        switch (objective) {
          case "utility" -> "gadget";
          case "jct" -> "srsf";
          default -> "longest-first";
        };
    return new Maestro(policy, given);
  }
}
