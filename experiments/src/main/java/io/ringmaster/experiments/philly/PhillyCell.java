package io.ringmaster.experiments.philly;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A policy at a load.
 *
 * @param predicted whether lengths are predicted; else they are known
 */
record PhillyCell(double load, boolean predicted, PolicySpec policy) {
  private static final String PREDICTED = "predicted";

  record Metric(String name, ToDoubleFunction<Summary> of) {}

  /** How far a policy is from what no schedule can beat. */
  static final Metric OVER_BOUND =
      new Metric("jct_over_bound", run -> run.jctMeanSeconds() / run.lowerBoundJctSeconds());

  static final List<Metric> METRICS =
      List.of(
          new Metric("jct_s", Summary::jctMeanSeconds),
          new Metric("makespan_s", Summary::makespanSeconds),
          OVER_BOUND);

  /** Whether the policy asks how long jobs are. */
  static boolean asksForLengths(PolicySpec policy) {
    return policy.parameters().contains(Estimate.PARAMETER);
  }

  /** As rows name it. */
  Map<String, Object> setting() {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("load", load);
    if (predicted) {
      setting.put("prediction", PREDICTED);
    }
    return setting;
  }

  private Map<String, String> given() {
    return predicted ? Map.of(Estimate.PARAMETER.name(), PREDICTED) : Map.of();
  }

  /** What the policy knows of lengths. */
  KnownLengths lengths() {
    return policy.lengths(policy.settings(given()));
  }

  /** Runs it on one draw. Every schedule is validated. */
  Summary run(Cluster cluster, PhillyWorkload draw, long seed) {
    Jobs jobs = draw.jobs(load, cluster.totalGpus());
    RunResult result = ValidatedRun.of(cluster, jobs, policy.name(), given(), seed);
    return Summary.of(policy.name(), seed, cluster, jobs, result, LowerBounds.of(jobs, cluster));
  }
}
