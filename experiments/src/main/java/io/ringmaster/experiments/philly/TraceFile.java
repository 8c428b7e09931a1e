package io.ringmaster.experiments.philly;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Jobs;
import io.ringmaster.workload.trace.TraceFormats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The published table of Philly's jobs, which is no part of this repository. */
final class TraceFile {
  /** The environment variable that names the folder of traces. */
  static final String VARIABLE = "RINGMASTER_TRACES";

  private static final String NAME = "philly/philly_jobs_adaptdl.csv.gz";
  private static final String FORMAT = "philly-csv";
  private static final String WHERE_FROM = "docs/experiments/philly-trace.md says where it is from";

  /** That of {@code import} by default: models are drawn as a user would see them. */
  private static final long SEED = 1;

  private TraceFile() {}

  /**
   * @param folder what the variable says; null or empty if it is not set
   */
  static Path in(@Nullable String folder) {
    if (folder == null || folder.isEmpty()) {
      throw new BadInput(
          "%s is not set; set it to the folder that holds %s (%s)"
              .formatted(VARIABLE, NAME, WHERE_FROM));
    }
    Path file = Path.of(folder).resolve(NAME);
    if (!Files.isRegularFile(file)) {
      throw new BadInput(
          "%s: there is no such file; put it there, or set %s to the folder that holds %s (%s)"
              .formatted(file, VARIABLE, NAME, WHERE_FROM));
    }
    return file;
  }

  /** The jobs that fit on so many GPUs, with models drawn as {@code import} draws them. */
  static Jobs read(Path file, int gpus) {
    return TraceFormats.read(
            FORMAT,
            List.of(file),
            Map.of("largest", "" + gpus, "models", "mix"),
            SEED,
            (_, _) -> {})
        .jobs();
  }
}
