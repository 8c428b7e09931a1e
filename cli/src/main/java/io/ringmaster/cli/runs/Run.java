package io.ringmaster.cli.runs;

import io.ringmaster.cli.terminal.Version;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.simulator.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A policy with its settings and a seed, to be run on some inputs. */
public record Run(PolicySpec spec, Settings settings, long seed) {

  public static Run of(String policy, Map<String, String> given, long seed) {
    PolicySpec spec = Policies.named(policy);
    return new Run(spec, spec.settings(given), seed);
  }

  public RunResult simulate(Inputs inputs, RunObserver observer) {
    return new Simulation(
            inputs.cluster(),
            inputs.jobs(),
            spec.name(),
            spec.create(settings, inputs.cluster()),
            spec.estimate(settings),
            seed,
            observer)
        .run();
  }

  public Summary summarize(Inputs inputs, RunResult result, LowerBounds bounds) {
    return Summary.of(spec.name(), seed, inputs.cluster(), inputs.jobs(), result, bounds);
  }

  /** The document that {@code --json} prints and summary.json holds. */
  public Map<String, Object> document(Inputs inputs, Summary summary) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("policy", summary.policy());
    out.put("seed", summary.seed());
    out.put("jobs", summary.jobs());
    out.put("finished", summary.finished());
    out.put("makespan_s", summary.makespanSeconds());
    out.put("jct_mean_s", summary.jctMeanSeconds());
    out.put("jct_p50_s", summary.jctP50Seconds());
    out.put("jct_p95_s", summary.jctP95Seconds());
    out.put("jct_p99_s", summary.jctP99Seconds());
    out.put("wait_mean_s", summary.waitMeanSeconds());
    out.put("gpu_utilization", summary.gpuUtilization());
    out.put("slowdown_mean", summary.slowdownMean());
    out.put("restarts", summary.restarts());
    out.put("lower_bound_jct_s", summary.lowerBounds().meanJctSeconds());
    out.put("lower_bound_makespan_s", summary.lowerBounds().makespanSeconds());
    out.put("energy_kwh", summary.energyKilowattHours());
    out.put("events", summary.events());
    out.put("version", Version.text());
    out.putAll(summary.notes());
    out.put("settings", new TreeMap<>(settings.asMap()));
    out.put("cluster", inputs.cluster().name());
    out.put("gpus", inputs.cluster().totalGpus());
    out.put("inputs", inputs.provenance());
    return out;
  }

  /** Splits {@code name=value} pairs. */
  public static Map<String, String> pairs(List<String> settings) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String setting : settings) {
      int at = setting.indexOf('=');
      if (at < 1) {
        throw new BadInput("--set " + setting + ": expected NAME=VALUE");
      }
      String name = setting.substring(0, at);
      if (pairs.put(name, setting.substring(at + 1)) != null) {
        throw new BadInput("--set " + setting + ": " + name + " is set twice");
      }
    }
    return pairs;
  }
}
