package io.ringmaster.cli.whatif;

import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.whatif.History;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A site's history, as it is. */
public final class HistoryFiles {
  @Parameters(
      paramLabel = "HISTORY",
      arity = "1..*",
      description =
          "what sacct or kubectl printed, a trace of any format of 'import', or a jobs file")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "format of the history (default: it is recognised)")
  @Nullable String format;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "a setting of the format, as 'import' has it: --set partition=gpu")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      description = "cluster (YAML; default: the servers that the history tells of)")
  @Nullable Path cluster;

  @Option(
      names = "--not-resumable",
      description = "no job can go on after a stop, so no policy stops one")
  boolean notResumable;

  History read() {
    files.forEach(io.ringmaster.workload.Inputs::check);
    try (Progress progress = new Progress("read " + files.getFirst().getFileName(), 1000)) {
      History history =
          History.read(
              files,
              format,
              NamedValues.of(settings),
              cluster,
              (read, all) -> progress.at(1000 * read / Math.max(1, all)));
      return notResumable ? history.notResumable() : history;
    }
  }
}
