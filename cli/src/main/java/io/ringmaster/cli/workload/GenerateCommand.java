package io.ringmaster.cli.workload;

import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.options.SeedOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Next;
import io.ringmaster.cli.terminal.SettingsList;
import io.ringmaster.model.BadInput;
import io.ringmaster.runs.OutputFolder;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import io.ringmaster.workload.JobsFile;
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

/** {@code ringmaster generate}: a synthetic workload with its cluster. */
@Command(
    name = "generate",
    description = "Writes a synthetic workload, jobs.csv and cluster.yaml.",
    mixinStandardHelpOptions = true)
public final class GenerateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", arity = "0..1", description = "see --list")
  @Nullable String name;

  @Option(names = "--list", description = "list the generators and their settings")
  boolean list;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "a setting of the generator; may be repeated")
  List<String> settings = new ArrayList<>();

  @Mixin SeedOption seed = new SeedOption();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "new folder to write to (default: the generator's name)")
  @Nullable Path out;

  @Option(names = "--force", description = "replace the folder if it exists")
  boolean force;

  @Override
  public Integer call() {
    if (list) {
      Generators.all()
          .forEach(g -> SettingsList.print(g.name(), g.summary(), g.parameters(), g.source()));
      return ExitStatus.OK;
    }
    if (name == null) {
      throw new BadInput("generate: name a generator; 'ringmaster generate --list' lists them");
    }
    Generators.named(name);
    Path target = out == null ? Path.of(name) : out;
    try (OutputFolder folder = OutputFolder.create(target, force)) {
      Generated generated = Generators.generate(name, NamedValues.of(settings), seed.value);
      JobsFile.write(folder.path().resolve("jobs.csv"), generated.jobs());
      ClusterFile.write(folder.path().resolve("cluster.yaml"), generated.cluster());
      folder.commit();
      Next.say(
          String.format(
              Locale.ROOT,
              "%s: %,d jobs in %s, %,d GPUs in %s.",
              name,
              generated.jobs().size(),
              target.resolve("jobs.csv"),
              generated.cluster().totalGpus(),
              target.resolve("cluster.yaml")),
          "ringmaster compare %s --cluster %s"
              .formatted(
                  Next.path(target.resolve("jobs.csv")),
                  Next.path(target.resolve("cluster.yaml"))));
    }
    return ExitStatus.OK;
  }
}
