package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.util.HashMap;
import java.util.Map;

/** Shorthand for tests: run a policy by name. */
final class Runs {
  private Runs() {}

  /** Runs a policy with settings written {@code name=value}. */
  static RunResult run(Cluster cluster, Jobs jobs, String policy, String... settings) {
    return run(cluster, jobs, policy, 1, RunObserver.NONE, settings);
  }

  static RunResult run(
      Cluster cluster,
      Jobs jobs,
      String policy,
      long seed,
      RunObserver observer,
      String... settings) {
    Map<String, String> given = new HashMap<>();
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      given.put(parts[0], parts[1]);
    }
    PolicySpec spec = Policies.named(policy);
    Settings checked = spec.settings(given);
    Estimate estimate = spec.estimate(checked);
    return new Simulation(
            cluster,
            jobs,
            Lengths.of(jobs, cluster),
            "tested",
            open -> spec.create(checked, open),
            estimate,
            seed,
            observer)
        .run();
  }

  /** Runs a policy of the test's own. */
  static RunResult run(
      Cluster cluster,
      Jobs jobs,
      Policy policy,
      Estimate estimate,
      long seed,
      RunObserver observer) {
    return new Simulation(cluster, jobs, "tested", policy, estimate, seed, observer).run();
  }

  static LowerBounds bounds(Jobs jobs, Cluster cluster) {
    return LowerBounds.of(jobs, cluster);
  }

  static Summary summary(Cluster cluster, Jobs jobs, RunResult run) {
    return Summary.of("tested", 1, cluster, jobs, run, bounds(jobs, cluster));
  }
}
