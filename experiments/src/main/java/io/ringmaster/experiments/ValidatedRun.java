package io.ringmaster.experiments;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.simulator.Validator;
import java.util.List;
import java.util.Map;

/** A run of a policy whose schedule is checked before anyone counts on it. */
public final class ValidatedRun {
  private ValidatedRun() {}

  /**
   * Runs a policy.
   *
   * @param given its settings
   * @param untilSeconds when it is cut off; infinite: at the end of the last job
   */
  public static RunResult of(
      Cluster cluster,
      Jobs jobs,
      String policy,
      Map<String, String> given,
      long seed,
      double untilSeconds) {
    PolicySpec spec = Policies.named(policy);
    Settings settings = spec.settings(given);
    return of(
        cluster,
        jobs,
        policy,
        spec.create(settings, cluster),
        spec.estimate(settings),
        seed,
        untilSeconds);
  }

  /** Runs a policy of the experiment's own, which knows lengths. */
  public static RunResult of(
      Cluster cluster, Jobs jobs, String name, Policy policy, long seed, double untilSeconds) {
    return of(cluster, jobs, name, policy, new Estimate.Perfect(), seed, untilSeconds);
  }

  private static RunResult of(
      Cluster cluster,
      Jobs jobs,
      String name,
      Policy policy,
      Estimate estimate,
      long seed,
      double untilSeconds) {
    Segments segments = new Segments();
    RunResult result =
        new Simulation(cluster, jobs, name, policy, estimate, seed, segments).run(untilSeconds);
    List<String> findings = Validator.check(cluster, jobs, segments, Validator.Outcomes.of(result));
    if (!findings.isEmpty()) {
      throw new IllegalStateException(
          "%s made a schedule that cannot be: %s".formatted(name, findings.getFirst()));
    }
    return result;
  }
}
