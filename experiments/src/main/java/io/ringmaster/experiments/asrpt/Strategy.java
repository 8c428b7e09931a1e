package io.ringmaster.experiments.asrpt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy with its settings.
 *
 * @param name as rows name it
 */
public record Strategy(String name, String policy, Map<String, String> given) {
  private static final String POLICY = "a-srpt";
  private static final String LITERAL_MODE = "literal";

  /** As the spec of this project has it by default: communication-heavy jobs reserve servers. */
  public static final Strategy RESERVE = new Strategy(POLICY, POLICY, Map.of());

  /** As the paper's abstract has it: the order of virtual completions, and the first one blocks. */
  static final Strategy LITERAL = new Strategy("a-srpt-literal", POLICY, mode(LITERAL_MODE));

  /** No job counts as communication-heavy, so none waits for a better place. */
  static final Strategy NO_DELAY =
      RESERVE.with("theta", DelayExperiment.NEVER).named("a-srpt-no-delay");

  static final List<Strategy> BASELINES =
      plain("spjf", "spwf", "wcs-duration", "wcs-workload", "wcs-subtime");

  /** The baselines with the reservation that {@link #RESERVE} has. */
  public static final List<Strategy> RESERVED = forms("-reserved", "reserve", "true");

  private static final List<Strategy> FIRST_FIT = forms("-first-fit", "placement", "first-fit");
  private static final List<Strategy> RANDOM = forms("-random", "placement", "random");

  /** All that have rows, in the order of rows. */
  static final List<Strategy> ALL = all();

  private static Map<String, String> mode(String mode) {
    return Map.of("mode", mode);
  }

  private static List<Strategy> plain(String... policies) {
    return List.of(policies).stream().map(p -> new Strategy(p, p, Map.of())).toList();
  }

  private static List<Strategy> forms(String ending, String setting, String value) {
    return BASELINES.stream().map(b -> b.with(setting, value).named(b.name + ending)).toList();
  }

  private static List<Strategy> all() {
    List<Strategy> all = new ArrayList<>(List.of(RESERVE, LITERAL));
    List.of(BASELINES, RESERVED, FIRST_FIT, RANDOM).forEach(all::addAll);
    return List.copyOf(all);
  }

  Strategy with(String setting, String value) {
    Map<String, String> more = new LinkedHashMap<>(given);
    more.put(setting, value);
    return new Strategy(name, policy, more);
  }

  private Strategy named(String other) {
    return new Strategy(other, policy, given);
  }
}
