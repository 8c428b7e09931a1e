package io.ringmaster.cli.workload;

import io.ringmaster.predictor.forest.Rows;
import io.ringmaster.predictor.length.Evaluation;
import io.ringmaster.predictor.length.JobFeatures;
import io.ringmaster.workload.AtomicFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What a forest sees of jobs, for other programs: CSV, a row a job; what is not known is empty. */
final class FeaturesFile {
  private FeaturesFile() {}

  static void write(Path file, Evaluation evaluation, int[] jobs) {
    Rows rows = evaluation.rows(jobs);
    double[] lengths = evaluation.lengths(jobs);
    try (AtomicFile out = AtomicFile.create(file);
        Writer text = new OutputStreamWriter(out.stream(), StandardCharsets.UTF_8)) {
      text.write(String.join(",", JobFeatures.names()) + ",length\n");
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < rows.size(); i++) {
        line.setLength(0);
        for (double number : rows.row(i)) {
          line.append(Double.isNaN(number) ? "" : Double.toString(number)).append(',');
        }
        text.append(line.append(lengths[i]).append('\n'));
      }
      text.flush();
      out.commit();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + AtomicFile.reason(e), e);
    }
  }
}
