package io.ringmaster.cli.options;

import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.runs.RunInputs;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Jobs, their cluster and their models. */
public final class WorkloadFiles {
  @Parameters(paramLabel = "JOBS", description = "jobs file (CSV; .gz, .xz and .zst too)")
  Path jobs = Path.of("");

  @Option(names = "--cluster", required = true, paramLabel = "FILE", description = "cluster (YAML)")
  Path cluster = Path.of("");

  @Mixin ModelsOption models = new ModelsOption();

  public RunInputs read() {
    return read(jobs, cluster, models.file);
  }

  /** Reads files, with a bar on the terminal if that takes long. */
  public static RunInputs read(Path jobs, Path cluster, @Nullable Path models) {
    try (Progress progress = new Progress("read " + jobs.getFileName(), 1000)) {
      return RunInputs.read(
          jobs, cluster, models, (read, all) -> progress.at(1000 * read / Math.max(1, all)));
    }
  }
}
