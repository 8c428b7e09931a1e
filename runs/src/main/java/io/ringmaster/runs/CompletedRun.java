package io.ringmaster.runs;

import io.ringmaster.policy.PlacementRule;
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

  /** Where the policy put jobs. */
  public PlacementRule placement() {
    return run.spec().placement(run.settings(), inputs.cluster(), inputs.jobs().anyElastic());
  }

  public SummaryDocument document() {
    return new SummaryDocument(
        summary,
        run.lengths().word(),
        Version.text(),
        result.notes(),
        new TreeMap<>(run.settings().asMap()),
        inputs.cluster().name(),
        inputs.cluster().totalGpus(),
        inputs.provenance());
  }
}
