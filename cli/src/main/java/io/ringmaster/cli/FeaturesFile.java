package io.ringmaster.cli;

import io.ringmaster.predictor.forest.Rows;
import io.ringmaster.predictor.length.Evaluation;
import io.ringmaster.predictor.length.JobFeatures;
import io.ringmaster.workload.AtomicFile;
import java.nio.file.Path;

/** What a forest sees of jobs, for other programs: CSV, a row a job; what is not known is empty. */
final class FeaturesFile {
  private FeaturesFile() {}

  static void write(Path file, Evaluation evaluation, int[] jobs) {
    StringBuilder out = new StringBuilder();
    JobFeatures.names().forEach(name -> out.append(name).append(','));
    out.append("length\n");
    Rows rows = evaluation.rows(jobs);
    double[] lengths = evaluation.lengths(jobs);
    for (int i = 0; i < rows.size(); i++) {
      for (double number : rows.row(i)) {
        out.append(Double.isNaN(number) ? "" : Double.toString(number)).append(',');
      }
      out.append(lengths[i]).append('\n');
    }
    AtomicFile.write(file, out.toString());
  }
}
