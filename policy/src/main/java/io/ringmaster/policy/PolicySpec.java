package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * How a policy describes itself. It stands in the policy's class.
 *
 * @param summary one sentence on what it does
 * @param source the paper, or the practice, that it comes from
 * @param placement where it puts jobs
 * @param asksForLengths whether, with such settings, it looks at how long jobs will run
 */
public record PolicySpec(
    String name,
    String summary,
    String source,
    List<Parameter> parameters,
    PlacementRule.Teller placement,
    Predicate<Settings> asksForLengths,
    BiFunction<Settings, Cluster, Policy> factory) {

  /** One that looks at lengths if it can be told how well they are known. */
  public PolicySpec(
      String name,
      String summary,
      String source,
      List<Parameter> parameters,
      PlacementRule.Teller placement,
      BiFunction<Settings, Cluster, Policy> factory) {
    this(
        name,
        summary,
        source,
        parameters,
        placement,
        _ -> parameters.contains(Estimate.PARAMETER),
        factory);
  }

  /** The settings of a run: what the user gave, defaults for the rest. */
  public Settings settings(Map<String, String> given) {
    return Settings.of("policy " + name, parameters, given);
  }

  /**
   * The settings where nobody knows how long jobs will run, as on a live queue or in a history:
   * policies that ask are to be told guesses, unless the user says otherwise.
   */
  public Settings guessing(Map<String, String> given) {
    Settings settings = settings(given);
    String name = Estimate.PARAMETER.name();
    if (given.containsKey(name) || lengths(settings) == KnownLengths.NONE) {
      return settings;
    }
    Map<String, String> guessed = new HashMap<>(given);
    guessed.put(name, Estimate.PREDICTED);
    return settings(guessed);
  }

  /** What the policy with such settings is told of lengths. */
  public Estimate estimate(Settings settings) {
    Parameter parameter = Estimate.PARAMETER;
    return parameters.contains(parameter)
        ? Estimate.parse(settings.text(parameter.name()))
        : new Estimate.Perfect();
  }

  /** What the policy with such settings knows of lengths, for those who read its results. */
  public KnownLengths lengths(Settings settings) {
    if (!asksForLengths.test(settings)) {
      return KnownLengths.NONE;
    }
    return estimate(settings) instanceof Estimate.Perfect
        ? KnownLengths.KNOWN
        : KnownLengths.PREDICTED;
  }

  /** Where the policy with such settings puts jobs on a cluster. */
  public PlacementRule placement(Settings settings, Cluster cluster, boolean anyElastic) {
    return placement.rule(settings, cluster, anyElastic);
  }

  public Policy create(Settings settings, Cluster cluster) {
    return factory.apply(settings, cluster);
  }
}
