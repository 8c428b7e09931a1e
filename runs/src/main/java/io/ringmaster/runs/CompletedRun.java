package io.ringmaster.runs;

import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Summary;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A run that came to its end. */
public record CompletedRun(Run run, RunInputs inputs, RunResult result, Summary summary) {
  static CompletedRun of(Run run, RunInputs inputs, RunResult result) {
    Summary summary =
        Summary.of(
            run.spec().name(),
            run.seed(),
            inputs.cluster(),
            inputs.jobs(),
            result,
            inputs.lowerBounds());
    return new CompletedRun(run, inputs, result, summary);
  }

  /** The document that summary.json holds. */
  public Map<String, Object> document() {
    return document(run, inputs, summary);
  }

  /** The same of a run that is gone but for its figures. */
  public static Map<String, Object> document(Run run, RunInputs inputs, Summary summary) {
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
    out.put("settings", new TreeMap<>(run.settings().asMap()));
    out.put("cluster", inputs.cluster().name());
    out.put("gpus", inputs.cluster().totalGpus());
    out.put("inputs", inputs.provenance());
    return out;
  }
}
