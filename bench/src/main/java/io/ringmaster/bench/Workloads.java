package io.ringmaster.bench;

import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the benchmarks simulate. */
final class Workloads {
  /** Of the jobs as of the policies. */
  static final long SEED = 1;

  private static final int JOBS_PER_SERVER = 80;

  private Workloads() {}

  /**
   * More work than the GPUs can do, so that a queue builds up, with contention. The cluster grows
   * with the jobs: they come in about the same time, and more of them run and wait at once. Without
   * the short limit most of the work would be done after the last arrival, when nobody waits.
   */
  static Generated overloaded(int jobs) {
    return overloaded(jobs, Map.of());
  }

  /**
   * The same, with some settings of the generator otherwise.
   *
   * @param other settings by name
   */
  static Generated overloaded(int jobs, Map<String, String> other) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("jobs", Integer.toString(jobs));
    settings.put("servers", Integer.toString(Math.max(1, jobs / JOBS_PER_SERVER)));
    settings.put("load", "1.2");
    settings.put("longest", "4");
    settings.putAll(other);
    return Generators.generate("philly", settings, SEED);
  }

  /** A run that is ready to start, with the policy's default settings. */
  static Simulation simulation(Generated workload, String policy) {
    return simulation(workload, policy, Map.of());
  }

  static Simulation simulation(Generated workload, String policy, Map<String, String> given) {
    RunInputs inputs = new RunInputs(workload.cluster(), workload.jobs());
    return Run.of(policy, given, SEED).simulation(inputs, RunObserver.NONE);
  }
}
