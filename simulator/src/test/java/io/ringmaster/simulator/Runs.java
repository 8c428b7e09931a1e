package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Policies;
import io.ringmaster.policy.PolicySpec;
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
    return new Simulation(
            cluster,
            jobs,
            policy,
            spec.create(checked, cluster),
            Policies.estimate(spec, checked),
            seed,
            observer)
        .run();
  }
}
