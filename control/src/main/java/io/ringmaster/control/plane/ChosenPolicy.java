package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.workload.json.Json;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Which policy is wanted: the configured one, until somebody chose another. */
public final class ChosenPolicy {
  /** Where the store keeps the choice. */
  public static final String POLICY = "policy";

  public static final String SETTINGS = "policy.settings";

  /** Where the store keeps why the chosen policy is not the one at work; empty: it is. */
  public static final String ERROR = "policy.error";

  /** Serves when the chosen policy fails. */
  static final String FALLBACK = "fifo";

  private final Function<String, PolicySpec> policies;
  private String name;
  private Map<String, String> settings;

  private ChosenPolicy(
      Function<String, PolicySpec> policies, String name, Map<String, String> settings) {
    this.policies = policies;
    this.name = name;
    this.settings = settings;
  }

  /** What the store remembers, or else the configuration says. */
  public static ChosenPolicy of(Map<String, String> stored, PlaneConfig config) {
    String chosen = stored.get(POLICY);
    return chosen == null
        ? new ChosenPolicy(config.policies(), config.policy(), config.policySettings())
        : new ChosenPolicy(config.policies(), chosen, parse(stored.getOrDefault(SETTINGS, "{}")));
  }

  private static Map<String, String> parse(String json) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (Json.parse(json) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> settings.put(String.valueOf(key), String.valueOf(value)));
    }
    return settings;
  }

  public String name() {
    return name;
  }

  /** As given: what is not here has its default. */
  public Map<String, String> settings() {
    return settings;
  }

  PolicySpec spec() {
    return policies.apply(name);
  }

  /** What it knows of how long jobs will run: guesses at best, since these are not simulated. */
  public KnownLengths lengths() {
    try {
      PolicySpec spec = spec();
      return spec.lengths(spec.guessing(settings));
    } catch (BadInput e) {
      // A choice of another version, which cannot be made any more.
      return KnownLengths.NONE;
    }
  }

  /** A new one, which has decided nothing yet. */
  Policy create(Cluster cluster) {
    PolicySpec spec = spec();
    return spec.create(spec.guessing(settings), cluster);
  }

  /** Where it puts jobs on a cluster. */
  PlacementRule placement(Cluster cluster, boolean anyElastic) {
    PolicySpec spec = spec();
    return spec.placement(spec.settings(settings), cluster, anyElastic);
  }

  /**
   * @throws BadInput if there is none of that name, or it does not take these settings or this
   *     cluster
   */
  void choose(String policy, Map<String, String> given, Cluster cluster) {
    check(policies.apply(policy), given, cluster);
    name = policy;
    settings = Map.copyOf(given);
  }

  private static void check(PolicySpec spec, Map<String, String> given, Cluster cluster) {
    spec.create(spec.guessing(given), cluster);
    spec.parameters().stream()
        .filter(parameter -> parameter.simulationOnly() && given.containsKey(parameter.name()))
        .findFirst()
        .ifPresent(parameter -> {
          throw new BadInput(
              "setting %s of %s makes sense in simulations only; leave it out"
                  .formatted(parameter.name(), spec.name()));
        });
  }

  /** Another choice, which changes nothing here. The same is refused as by {@link #choose}. */
  ChosenPolicy other(String policy, Map<String, String> given, Cluster cluster) {
    check(policies.apply(policy), given, cluster);
    return new ChosenPolicy(policies, policy, Map.copyOf(given));
  }

  /** The chosen policy failed: the simplest goes on, until somebody chooses again. */
  void fallBack(Throwable cause) {
    if (name.equals(FALLBACK) && settings.isEmpty()) {
      throw new IllegalStateException("policy %s failed too".formatted(FALLBACK), cause);
    }
    name = FALLBACK;
    settings = Map.of();
  }

  /** Makes the policy new, and shows it the jobs that it may see. */
  AdmittedJobs admit(
      PlaneConfig config,
      Capacity capacity,
      Map<Long, Job> jobs,
      Experience experience,
      double nowSeconds,
      long seed) {
    Cluster cluster = capacity.cluster();
    PolicyHost host =
        cluster == null ? null : host(cluster, jobs.values(), experience, nowSeconds, seed);
    return new AdmittedJobs(config, capacity, host, jobs, nowSeconds);
  }

  private PolicyHost host(
      Cluster cluster, Collection<Job> jobs, Experience experience, double nowSeconds, long seed) {
    double firstSeconds =
        jobs.stream()
            .mapToDouble(Job::eligibleSeconds)
            .filter(s -> !Double.isNaN(s))
            .min()
            .orElse(nowSeconds);
    return new PolicyHost(
        name,
        create(cluster),
        cluster,
        experience.speeds().models(),
        experience,
        Math.min(firstSeconds, nowSeconds),
        seed);
  }
}
