package io.ringmaster.runs;

import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Summary;
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
  public SummaryDocument document() {
    return document(run, inputs, summary);
  }

  /** The same of a run that is gone but for its figures. */
  public static SummaryDocument document(Run run, RunInputs inputs, Summary summary) {
    return new SummaryDocument(
        summary.policy(),
        summary.seed(),
        summary.jobs(),
        summary.finished(),
        summary.makespanSeconds(),
        summary.jctMeanSeconds(),
        summary.jctP50Seconds(),
        summary.jctP95Seconds(),
        summary.jctP99Seconds(),
        summary.waitMeanSeconds(),
        summary.gpuUtilization(),
        summary.slowdownMean(),
        summary.restarts(),
        summary.lowerBounds().meanJctSeconds(),
        summary.lowerBounds().makespanSeconds(),
        summary.energyKilowattHours(),
        summary.events(),
        Version.text(),
        summary.notes(),
        new TreeMap<>(run.settings().asMap()),
        inputs.cluster().name(),
        inputs.cluster().totalGpus(),
        inputs.provenance());
  }
}
