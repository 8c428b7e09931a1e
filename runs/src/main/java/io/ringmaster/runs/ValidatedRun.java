package io.ringmaster.runs;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.simulator.RunObserver;
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
    return of(cluster, jobs, Run.of(policy, given, seed), untilSeconds);
  }

  /** Runs a policy that the caller described. */
  public static RunResult of(Cluster cluster, Jobs jobs, Run run, double untilSeconds) {
    RunInputs inputs = new RunInputs(cluster, jobs);
    Segments segments = new Segments();
    Simulation simulation = run.simulation(inputs, segments);
    return checked(run.spec().name(), inputs, segments, simulation.run(untilSeconds));
  }

  /** Runs a policy to the end of the last job. */
  public static RunResult of(
      Cluster cluster, Jobs jobs, String policy, Map<String, String> given, long seed) {
    return of(cluster, jobs, policy, given, seed, Double.POSITIVE_INFINITY);
  }

  /** Runs a policy of the caller's own, which knows lengths. */
  public static RunResult of(
      Cluster cluster, Jobs jobs, String name, Policy policy, long seed, double untilSeconds) {
    RunInputs inputs = new RunInputs(cluster, jobs);
    Segments segments = new Segments();
    Simulation simulation =
        Run.simulation(inputs, name, policy, new Estimate.Perfect(), seed, segments);
    return checked(name, inputs, segments, simulation.run(untilSeconds));
  }

  /** Runs to the end of the last job; of what happens only progress is passed on. */
  static RunResult of(Run run, RunInputs inputs, RunObserver progress) {
    Segments segments = new Segments();
    RunObserver both =
        new RunObserver() {
          @Override
          public void segment(
              int job, double startSeconds, double endSeconds, double warmup, Placement placement) {
            segments.segment(job, startSeconds, endSeconds, warmup, placement);
          }

          @Override
          public void progress(int finished) {
            progress.progress(finished);
          }
        };
    return checked(run.spec().name(), inputs, segments, run.simulate(inputs, both));
  }

  /** The result, unless the schedule that led to it cannot be. */
  static RunResult checked(String policy, RunInputs inputs, Segments segments, RunResult result) {
    List<String> findings =
        Validator.checked(inputs.cluster(), inputs.jobs(), inputs.lengths(), segments, result)
            .findings();
    if (!findings.isEmpty()) {
      throw new IllegalStateException(
          "policy %s made a schedule that cannot be: %s".formatted(policy, findings.getFirst()));
    }
    return result;
  }
}
