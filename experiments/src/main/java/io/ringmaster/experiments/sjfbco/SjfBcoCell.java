package io.ringmaster.experiments.sjfbco;

import io.ringmaster.experiments.Variants;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunResult;
import java.util.LinkedHashMap;
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
public record SjfBcoCell(
    Map<String, Object> setting,
    String policy,
    Map<String, String> given,
    int servers,
    double cap,
    @Nullable Double paperMakespan,
    @Nullable Double paperCompletion) {

  /** Stands for what no schedule can beat. */
  public static final String BOUND = "lower-bound";

  /** Its rings reserve bandwidth, and so have no contention. */
  static final String RESERVING = "gadget";

  /** Makespan and mean completion time, in slots. */
  public record Outcome(double makespan, double completion) {}

  /** The same with other settings of the policy. */
  public SjfBcoCell with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(given);
    all.putAll(more);
    return new SjfBcoCell(setting, policy, all, servers, cap, paperMakespan, paperCompletion);
  }

  /** What the policy knows of lengths; null of the bound. */
  public @Nullable KnownLengths lengths() {
    return policy.equals(BOUND) ? null : Variants.run(policy, given, 0).lengths();
  }

  /** Runs the case on one draw. Every schedule is validated. */
  public Outcome run(long seed) {
    SjfBcoWorkload draw = new SjfBcoWorkload(seed);
    Network shared = SjfBcoWorkload.network(cap);
    Cluster cluster =
        draw.cluster(servers, policy.equals(RESERVING) ? shared.reserving(0) : shared);
    Jobs jobs = draw.jobs(cap);
    if (policy.equals(BOUND)) {
      LowerBounds bounds = LowerBounds.of(jobs, cluster);
      return new Outcome(bounds.makespanSeconds(), bounds.meanJctSeconds());
    }
    RunResult result =
        ValidatedRun.of(cluster, jobs, Variants.run(policy, given, seed), Double.POSITIVE_INFINITY);
    double last = 0;
    double sum = 0;
    for (int job = 0; job < jobs.size(); job++) {
      last = Math.max(last, result.finishSeconds(job));
      sum += result.finishSeconds(job);
    }
    return new Outcome(last, sum / jobs.size());
  }
}
