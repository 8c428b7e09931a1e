package io.ringmaster.cli.workload;

import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.Next;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.cli.terminal.SettingsList;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.trace.Imported;
import io.ringmaster.workload.trace.TopologyImport;
import io.ringmaster.workload.trace.TraceFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster import}: a trace of another site into the native jobs file. */
@Command(
    name = "import",
    description = "Makes a jobs file of a public trace or a site's own job history.",
    mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
  private static final String TOPOLOGY = "topology";

  @Parameters(index = "0", paramLabel = "FORMAT", arity = "0..1", description = "see --list")
  @Nullable String format;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      arity = "0..*",
      description = "files of one trace; .gz, .xz and .zst are read as they are")
  List<Path> files = new ArrayList<>();

  @Option(names = "--list", description = "list the formats and their settings")
  boolean list;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "a setting of the format; may be repeated")
  List<String> settings = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "N", description = "seed of drawn models (default: 1)")
  long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "jobs file (default: jobs.csv); of a topology the cluster file (cluster.yaml)")
  @Nullable Path target;

  @Option(
      names = "--cluster-out",
      paramLabel = "FILE",
      description = "also write a cluster file of the servers that the trace tells of")
  @Nullable Path clusterOut;

  @Option(names = "--force", description = "replace files that exist")
  boolean force;

  @Mixin WideOption wide = new WideOption();

  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    if (list) {
      list();
      return ExitStatus.OK;
    }
    if (format == null) {
      throw new BadInput("import: name a format; 'ringmaster import --list' lists them");
    }
    if (format.equals(TOPOLOGY)) {
      importTopology();
      return ExitStatus.OK;
    }
    TraceFormats.named(format);
    if (files.isEmpty()) {
      throw new BadInput("import " + format + ": name the files of the trace");
    }
    Path out = target == null ? Path.of("jobs.csv") : target;
    FitFigures.eachOnce("import " + format, files);
    files.forEach(Inputs::check);
    checkTarget("--out", out);
    if (clusterOut != null) {
      checkTarget("--cluster-out", clusterOut);
    }
    Imported imported = read(format);
    if (clusterOut != null) {
      ClusterFile.write(clusterOut, cluster(imported, format));
    }
    JobsFile.write(out, imported.jobs());
    ImportReport report = new ImportReport(format, seed, imported);
    if (json.given) {
      System.out.print(Json.document(report.document()));
    } else {
      System.err.print(report.text(wide.columns()));
      sayNext(format, imported, out);
    }
    return ExitStatus.OK;
  }

  /** Where servers hang: it gives a cluster file, and no jobs. */
  private void importTopology() {
    if (files.size() != 1) {
      throw new BadInput("import topology: name one file");
    }
    if (clusterOut != null) {
      throw new BadInput("import topology: --out names the cluster file; leave --cluster-out out");
    }
    Inputs.check(files.getFirst());
    Path out = target == null ? Path.of("cluster.yaml") : target;
    checkTarget("--out", out);
    Cluster cluster = TopologyImport.read(files.getFirst(), NamedValues.of(settings));
    ClusterFile.write(out, cluster);
    int racks = cluster.racks().size();
    int pods = cluster.pods().size();
    if (json.given) {
      System.out.print(
          Json.document(new Topology(cluster.size(), cluster.totalGpus(), racks, pods)));
    } else {
      Next.say(
          String.format(
              Locale.ROOT,
              "topology: %,d servers with %,d GPUs in %,d racks and %,d pods, in %s. Look at nic"
                  + " and uplink there: the file does not tell them.",
              cluster.size(),
              cluster.totalGpus(),
              racks,
              pods,
              out),
          "ringmaster compare JOBS --cluster %s".formatted(Next.path(out)));
    }
  }

  private record Topology(int servers, int gpus, int racks, int pods) {}

  private void sayNext(String name, Imported imported, Path out) {
    Path cluster = clusterOut == null ? Path.of("CLUSTER") : clusterOut;
    String told =
        clusterOut != null
            ? " The servers are in %s.".formatted(clusterOut)
            : imported.serverGpus().isEmpty()
                ? " The trace tells of no servers: a cluster file says what they are."
                : " The trace tells of its servers too: --cluster-out FILE writes them.";
    Next.say(
        String.format(
            Locale.ROOT, "%s: %,d jobs in %s.%s", name, imported.jobs().size(), out, told),
        "ringmaster compare %s --cluster %s".formatted(Next.path(out), Next.path(cluster)));
  }

  private Imported read(String name) {
    long bytes = files.stream().mapToLong(ImportCommand::size).sum();
    // The reader tells of each file on its own, in an order of its own.
    long[] before = {0};
    long[] last = {0};
    try (Progress progress = new Progress("import " + name, Math.max(1, bytes))) {
      return TraceFormats.read(
          name,
          files,
          NamedValues.of(settings),
          seed,
          (read, _) -> {
            before[0] += read < last[0] ? last[0] : 0;
            last[0] = read;
            progress.at(Math.min(bytes, before[0] + read));
          });
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      // The reader says it better.
      return 0;
    }
  }

  private static Cluster cluster(Imported imported, String format) {
    return imported
        .cluster(format)
        .orElseThrow(() ->
            new BadInput(
                "--cluster-out: these files of format %s tell of no servers; leave it out"
                    .formatted(format)));
  }

  /** Before any work is done, so that a bad name costs nothing. */
  private void checkTarget(String option, Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw new BadInput("%s %s: it is a directory; expected a file".formatted(option, file));
    }
    if (folder != null && !Files.isDirectory(folder)) {
      throw new BadInput("%s %s: there is no folder %s".formatted(option, file, folder));
    }
    if (!force && Files.isRegularFile(file)) {
      throw new BadInput(
          "%s %s: exists; name another file, or replace it with --force".formatted(option, file));
    }
    if (files.contains(file)) {
      throw new BadInput("%s %s: is a file of the trace".formatted(option, file));
    }
  }

  private void list() {
    if (json.given) {
      System.out.print(
          Json.document(
              new Formats(
                  SettingsList.settings(TraceFormats.commonParameters()),
                  TraceFormats.all().stream()
                      .map(f ->
                          SettingsList.choice(f.name(), f.summary(), f.source(), f.parameters()))
                      .toList())));
      return;
    }
    TraceFormats.all()
        .forEach(f -> SettingsList.print(f.name(), f.summary(), f.parameters(), f.source()));
    SettingsList.print(
        TOPOLOGY,
        "which servers hang on which switches, as a cluster file in racks and pods",
        TopologyImport.PARAMETERS,
        "Slurm's topology.conf, kubectl get nodes -o json, or Alibaba's Lingjun hosts");
    System.out.println("Settings of all formats");
    SettingsList.print(TraceFormats.commonParameters());
  }

  private record Formats(
      List<SettingsList.Setting> parameters, List<SettingsList.Choice> formats) {}
}
