package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Variants;
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

  /** What may matter to jobs of all kinds; the other ingredients are of jobs that are stopped. */
  private static final int GENERAL = 6;

  /** What can be left out: nothing, or one thing that it is made of. */
  static List<String> leftOut(boolean stopping) {
    List<String> all = new ArrayList<>(List.of(Variants.NOTHING));
    List<String> ingredients = Variants.ingredients();
    all.addAll(stopping ? ingredients : ingredients.subList(0, GENERAL));
    return all;
  }

  /** With an objective and all that it is made of. */
  static Maestro of(String objective) {
    return new Maestro(NAME, Map.of("objective", objective));
  }

  Maestro with(String setting, String value) {
    Map<String, String> more = new LinkedHashMap<>(given);
    more.put(setting, value);
    return new Maestro(policy, more);
  }

  /**
   * The whole, and without one ingredient after the other, each over the same policies.
   *
   * @param stopping whether jobs are stopped there, so that it matters which and when
   * @param setting of rows, to which what was left out is added
   * @param own the figure of such a policy
   */
  List<Ratio> reduced(
      boolean stopping,
      Map<String, Object> setting,
      Metric metric,
      Function<Maestro, Quantity> own,
      List<Quantity> below) {
    List<Ratio> all = new ArrayList<>();
    for (String name : leftOut(stopping)) {
      Map<String, Object> more = new LinkedHashMap<>(setting);
      more.put(WITHOUT, name);
      Maestro left =
          name.equals(Variants.NOTHING) ? this : new Maestro(Variants.without(name), given);
      all.add(new Ratio(more, metric, own.apply(left), below));
    }
    return all;
  }
}
