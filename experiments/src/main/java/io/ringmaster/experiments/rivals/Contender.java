package io.ringmaster.experiments.rivals;

import io.ringmaster.model.Cluster;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.workload.Generated;
import java.util.Map;

/**
 * A policy on some jobs.
 *
 * @param name as rows name it
 */
public record Contender(
    String name, String policy, Map<String, String> given, Workload workload, double restart) {
  /** Jobs that come over time. */
  public interface Workload {
    /** What rows name it by: {@code workload} and {@code load}. */
    Map<String, Object> named();

    /** Whether jobs have stages, so that policies are out which share out any number of workers. */
    boolean staged();

    Generated draw(long seed);
  }

  /** A policy that goes by some lengths, or asks for none. */
  static Contender of(String policy, String lengths, Workload workload, double restart) {
    boolean asks = Policies.named(policy).parameters().contains(Estimate.PARAMETER);
    Map<String, String> given = asks ? Map.of(Estimate.PARAMETER.name(), lengths) : Map.of();
    return new Contender(policy, policy, given, workload, restart);
  }

  /** Runs it. Every schedule is validated. */
  public Standing run(long seed) {
    Generated draw = workload.draw(seed);
    Cluster cluster = draw.cluster().costing(draw.cluster().startSeconds(), restart);
    return Standing.of(
        draw.jobs(),
        ValidatedRun.of(cluster, draw.jobs(), run(policy, seed), Double.POSITIVE_INFINITY));
  }

  public KnownLengths lengths() {
    return run(policy, 0).lengths();
  }

  private Run run(String named, long seed) {
    return Run.of(named, given, seed);
  }
}
