package io.ringmaster.runs;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.Map;

/** A policy with its settings and a seed, to be run on some inputs. */
public record Run(PolicySpec spec, Settings settings, long seed) {
  public static Run of(String policy, Map<String, String> given, long seed) {
    PolicySpec spec = Policies.named(policy);
    return new Run(spec, spec.settings(given), seed);
  }

  /**
   * The same on jobs of which it is known whether they are a history. Then nobody knew how long
   * they would run, and the policy is to predict it unless the settings say otherwise.
   */
  public static Run of(PolicySpec spec, Map<String, String> given, long seed, Jobs jobs) {
    return new Run(spec, jobs.isHistory() ? spec.guessing(given) : spec.settings(given), seed);
  }

  /** What the policy knows of how long jobs will run. */
  public KnownLengths lengths() {
    return spec.lengths(settings);
  }

  /** Ready to start. */
  public Simulation simulation(RunInputs inputs, RunObserver observer) {
    Simulation simulation =
        new Simulation(
            inputs.cluster(),
            inputs.jobs(),
            inputs.lengths(),
            spec.name(),
            cluster -> spec.create(settings, cluster),
            spec.estimate(settings),
            seed,
            observer);
    return lengths() == KnownLengths.NONE ? simulation.usingNoLengths() : simulation;
  }

  /** The same with a policy of the caller's own, on a cluster that does not fail. */
  static Simulation simulation(
      RunInputs inputs,
      String name,
      Policy policy,
      Estimate estimate,
      long seed,
      RunObserver observer) {
    return new Simulation(
        inputs.cluster(), inputs.jobs(), inputs.lengths(), name, policy, estimate, seed, observer);
  }

  /** Runs to the end of the last job. */
  public RunResult simulate(RunInputs inputs, RunObserver observer) {
    return simulation(inputs, observer).run();
  }

  /**
   * Runs to the end of the last job, and sums up.
   *
   * @param validate whether the schedule is checked
   * @param progress told of progress alone
   */
  public CompletedRun complete(RunInputs inputs, boolean validate, RunObserver progress) {
    RunResult result =
        validate ? ValidatedRun.of(this, inputs, progress) : simulate(inputs, progress);
    return CompletedRun.of(this, inputs, result);
  }
}
