package io.ringmaster.cli.simulate;

import io.ringmaster.policy.PlacementRule;
import io.ringmaster.report.Page;
import io.ringmaster.report.RunReport;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.workload.AtomicFile;
import java.nio.file.Path;

/** The page of a run, beside its files. */
final class RunPage {
  private RunPage() {}

  static void write(Path folder, RunFiles.Written written) {
    CompletedRun done = written.run();
    Run run = done.run();
    RunInputs inputs = done.inputs();
    if (inputs.jobs().size() > RunInputs.MANY_JOBS) {
      // What the run left behind makes room for what the page needs.
      System.gc();
    }
    PlacementRule rule =
        run.spec().placement(run.settings(), inputs.cluster(), inputs.jobs().anyElastic());
    AtomicFile.write(
        folder.resolve(Page.FILE),
        Page.html(
            RunReport.of(
                done.document(),
                inputs.cluster(),
                inputs.jobs(),
                done.result(),
                written.segments(),
                rule)));
  }
}
