package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * How a policy describes itself. It stands in the policy's class.
 *
 * @param summary one sentence on what it does
 * @param source the paper, or the practice, that it comes from
 * @param placement where it puts jobs
 */
public record PolicySpec(
    String name,
    String summary,
    String source,
    List<Parameter> parameters,
    PlacementRule.Teller placement,
    BiFunction<Settings, Cluster, Policy> factory) {

  /** The settings of a run: what the user gave, defaults for the rest. */
  public Settings settings(Map<String, String> given) {
    return Settings.of("policy " + name, parameters, given);
  }

  /** What the policy with such settings knows of lengths. */
  public Estimate estimate(Settings settings) {
    Parameter parameter = Estimate.PARAMETER;
    return parameters.contains(parameter)
        ? Estimate.parse(settings.text(parameter.name()))
        : new Estimate.Perfect();
  }

  /** Where the policy with such settings puts jobs on a cluster. */
  public PlacementRule placement(Settings settings, Cluster cluster, boolean anyElastic) {
    return placement.rule(settings, cluster, anyElastic);
  }

  public Policy create(Settings settings, Cluster cluster) {
    return factory.apply(settings, cluster);
  }
}
