package io.ringmaster.cli.simulate;

import io.ringmaster.report.Page;
import io.ringmaster.report.RunReport;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.workload.AtomicFile;
import java.nio.file.Path;

/** The page of a run, beside its files. */
final class RunPage {
  private RunPage() {}

  static void write(Path folder, RunFiles.Written written) {
    if (written.run().inputs().jobs().size() > RunInputs.MANY_JOBS) {
      // What the run left behind makes room for what the page needs.
      System.gc();
    }
    AtomicFile.write(
        folder.resolve(Page.FILE), Page.html(RunReport.of(written.run(), written.segments())));
  }
}
