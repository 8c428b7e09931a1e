package io.ringmaster.experiments.sjfbco;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Policies;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.simulator.Stretches;
import io.ringmaster.simulator.Validator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy in a setting.
 *
 * @param setting as the rows name it
 * @param given the policy's settings
 * @param paperMakespan what the paper reports, or null
 * @param paperCompletion what the paper reports, or null
 */
record Case(
    Map<String, Object> setting,
    String policy,
    Map<String, String> given,
    int servers,
    double cap,
    @Nullable Double paperMakespan,
    @Nullable Double paperCompletion) {

  /** Stands for what no schedule can beat. */
  static final String BOUND = "lower-bound";

  /** Its rings reserve bandwidth, and so have no contention. */
  static final String RESERVING = "gadget";

  /** Makespan and mean completion time, in slots. */
  record Outcome(double makespan, double completion) {}

  /** Runs the case on one draw. Every schedule is validated. */
  Outcome run(Draw draw, long seed) {
    Network.Kind kind = policy.equals(RESERVING) ? Network.Kind.RESERVED : Network.Kind.CONTENTION;
    Cluster cluster = draw.cluster(servers, cap, kind);
    Jobs jobs = draw.jobs(cap);
    if (policy.equals(BOUND)) {
      LowerBounds bounds = LowerBounds.of(jobs, cluster);
      return new Outcome(bounds.makespanSeconds(), bounds.meanJctSeconds());
    }
    PolicySpec spec = Policies.named(policy);
    Settings settings = spec.settings(given);
    Stretches stretches = new Stretches();
    RunResult result =
        new Simulation(
                cluster,
                jobs,
                policy,
                spec.create(settings, cluster),
                Policies.estimate(spec, settings),
                seed,
                stretches)
            .run();
    List<String> findings =
        Validator.check(cluster, jobs, stretches, Validator.Outcomes.of(result));
    if (!findings.isEmpty()) {
      throw new IllegalStateException(
          "%s made a schedule that cannot be: %s".formatted(policy, findings.getFirst()));
    }
    double last = 0;
    double sum = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, result.finishSeconds(job));
      sum += result.finishSeconds(job);
    }
    return new Outcome(last, sum / jobs.size());
  }
}
