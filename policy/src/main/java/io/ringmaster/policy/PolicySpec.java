package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A policy's entry in the registry.
 *
 * @param summary one sentence on what it does
 * @param source the paper, or the practice, that it comes from
 */
public record PolicySpec(
    String name,
    String summary,
    String source,
    List<Parameter> parameters,
    BiFunction<Settings, Cluster, Policy> factory) {

  /** The settings of a run: what the user gave, defaults for the rest. */
  public Settings settings(Map<String, String> given) {
    return Settings.of("policy " + name, parameters, given);
  }

  public Policy create(Settings settings, Cluster cluster) {
    return factory.apply(settings, cluster);
  }
}
