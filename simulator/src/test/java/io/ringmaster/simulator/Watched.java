package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.registry.Policies;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A policy that is looked at after each of its decisions. */
final class Watched implements Policy {
  private final Policy policy;
  private final Watcher watcher;
  private final SortedSet<Integer> active = new TreeSet<>();

  /** Looks at what the policy saw, with its decisions carried out in the view. */
  @FunctionalInterface
  interface Watcher {
    /** All jobs that are there, running and waiting, by index. */
    void decided(View view, SortedSet<Integer> active);
  }

  Watched(Policy policy, Watcher watcher) {
    this.policy = policy;
    this.watcher = watcher;
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      active.add(view.arrived().get(i));
    }
    for (int i = 0; i < view.ended().size(); i++) {
      active.remove(view.ended().get(i));
    }
    policy.decide(view, decisions);
    watcher.decided(view, active);
  }

  /** Runs a policy by name and looks at it. */
  static RunResult run(
      Cluster cluster,
      Jobs jobs,
      String policy,
      Map<String, String> given,
      long seed,
      Watcher watcher) {
    PolicySpec spec = Policies.named(policy);
    var settings = spec.settings(given);
    Policy inner = spec.create(settings, cluster);
    Estimate estimate = spec.estimate(settings);
    return Runs.run(cluster, jobs, new Watched(inner, watcher), estimate, seed, RunObserver.NONE);
  }
}
