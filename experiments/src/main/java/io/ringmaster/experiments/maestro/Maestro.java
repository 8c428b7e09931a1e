package io.ringmaster.experiments.maestro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The policy with some settings.
 *
 * @param policy its name in the registry; tests put another in its place
 */
record Maestro(String policy, Map<String, String> given) {
  /** As rows name it. */
  static final String NAME = "maestro";

  static final String WITHOUT = "without";

  /** What can be left out: nothing, or one thing that it is made of. */
  static final List<String> LEFT_OUT =
      List.of(
          "none", "order", "consolidation", "preemption", "waiting", "growth", "search", "trust");

  /** With an objective and all that it is made of. */
  static Maestro of(String objective) {
    return new Maestro(NAME, Map.of("objective", objective));
  }

  /** The same with one setting more. */
  Maestro with(String setting, String value) {
    Map<String, String> more = new LinkedHashMap<>(given);
    more.put(setting, value);
    return new Maestro(policy, more);
  }

  /**
   * The whole, and without one ingredient after the other, each over the same policies.
   *
   * @param setting of rows, to which what was left out is added
   * @param own the figure of such a policy
   */
  List<Ratio> reduced(
      Map<String, Object> setting,
      Metric metric,
      Function<Maestro, Quantity> own,
      List<Quantity> below) {
    List<Ratio> all = new ArrayList<>();
    for (String name : LEFT_OUT) {
      Map<String, Object> more = new LinkedHashMap<>(setting);
      more.put(WITHOUT, name);
      Maestro left = name.equals(LEFT_OUT.getFirst()) ? this : with(WITHOUT, name);
      all.add(new Ratio(more, metric, own.apply(left), below));
    }
    return all;
  }
}
