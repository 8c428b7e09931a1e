package io.ringmaster.policy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * How a policy describes itself. It stands in the policy's class.
 *
 * @param summary one sentence on what it does
 * @param source the paper, or the practice, that it comes from
 * @param placement where it puts jobs
 * @param countsGpusOnly it is blind to CPUs, memory and reserved links, so it cannot serve clusters
 *     that limit those
 */
public record PolicySpec(
    String name,
    String summary,
    String source,
    List<Parameter> parameters,
    PlacementRule.Teller placement,
    BiFunction<Settings, Cluster, Policy> factory,
    boolean countsGpusOnly) {

  public PolicySpec(
      String name,
      String summary,
      String source,
      List<Parameter> parameters,
      PlacementRule.Teller placement,
      BiFunction<Settings, Cluster, Policy> factory) {
    this(name, summary, source, parameters, placement, factory, false);
  }

  /** The same for a policy that is blind to all but GPUs. */
  public PolicySpec countingGpusOnly() {
    return new PolicySpec(name, summary, source, parameters, placement, factory, true);
  }

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

  /** Whether it knows all that a cluster limits. */
  public boolean serves(Cluster cluster) {
    return !(countsGpusOnly && cluster.limitsMoreThanGpus());
  }

  /** Refuses a cluster that it does not serve. */
  public void check(Cluster cluster) {
    if (!serves(cluster)) {
      throw new BadInput(
          ("policy %s: it counts GPUs alone, but cluster %s also limits %s; use another policy, or"
                  + " leave these limits out of the cluster file")
              .formatted(name, cluster.name(), limits(cluster)));
    }
  }

  /** What a cluster limits beside GPUs, in words. */
  public static String limits(Cluster cluster) {
    List<String> limited = new ArrayList<>();
    if (cluster.servers().stream().anyMatch(s -> Double.isFinite(s.cpus()))) {
      limited.add("CPUs");
    }
    if (cluster.servers().stream().anyMatch(s -> Double.isFinite(s.memoryBytes()))) {
      limited.add("memory");
    }
    if (cluster.network().reservesFixed()) {
      limited.add("what rings reserve of links");
    }
    return String.join(" and ", limited);
  }

  public Policy create(Settings settings, Cluster cluster) {
    check(cluster);
    return factory.apply(settings, cluster);
  }
}
