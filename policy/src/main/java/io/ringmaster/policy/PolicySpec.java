package io.ringmaster.policy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * A policy's entry in the registry.
 *
 * @param summary one sentence on what it does
 * @param source the paper, or the practice, that it comes from
 * @param countsGpusOnly it is blind to CPUs, memory and reserved links, so it cannot serve clusters
 *     that limit those
 */
public record PolicySpec(
    String name,
    String summary,
    String source,
    List<Parameter> parameters,
    BiFunction<Settings, Cluster, Policy> factory,
    boolean countsGpusOnly) {

  public PolicySpec(
      String name,
      String summary,
      String source,
      List<Parameter> parameters,
      BiFunction<Settings, Cluster, Policy> factory) {
    this(name, summary, source, parameters, factory, false);
  }

  /** The same for a policy that is blind to all but GPUs. */
  PolicySpec countingGpusOnly() {
    return new PolicySpec(name, summary, source, parameters, factory, true);
  }

  /** The settings of a run: what the user gave, defaults for the rest. */
  public Settings settings(Map<String, String> given) {
    return Settings.of("policy " + name, parameters, given);
  }

  /** Whether it knows all that a cluster limits. */
  public boolean serves(Cluster cluster) {
    return !(countsGpusOnly && cluster.limitsMoreThanGpus());
  }

  /** Refuses a cluster that it does not serve. */
  public void check(Cluster cluster) {
    if (!serves(cluster)) {
      throw new BadInput(
          ("policy %s: it counts GPUs alone, but cluster %s also limits %s; use one of %s, or leave"
                  + " these limits out of the cluster file")
              .formatted(
                  name,
                  cluster.name(),
                  Policies.limits(cluster),
                  Policies.all().stream()
                      .filter(p -> p.serves(cluster))
                      .map(PolicySpec::name)
                      .collect(Collectors.joining(", "))));
    }
  }

  public Policy create(Settings settings, Cluster cluster) {
    check(cluster);
    return factory.apply(settings, cluster);
  }
}
