package io.ringmaster.cli.simulate;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.runs.Inputs;
import io.ringmaster.cli.runs.Machine;
import io.ringmaster.cli.runs.Run;
import io.ringmaster.cli.runs.RunFiles;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.report.Json;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Summary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringmaster simulate}: one run. */
@Command(
    name = "simulate",
    description = "Runs jobs under one policy.",
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "JOBS", description = "jobs file (CSV; .gz, .xz and .zst too)")
  Path jobs = Path.of("");

  @Option(names = "--cluster", required = true, paramLabel = "FILE", description = "cluster (YAML)")
  Path cluster = Path.of("");

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "NAME",
      description = "see 'ringmaster policies'")
  String policy = "";

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "a setting of the policy; may be repeated")
  List<String> settings = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "N", description = "seed of random draws (default: 1)")
  long seed = 1;

  @Option(
      names = "--models",
      paramLabel = "FILE",
      description = "model profiles to add or replace (CSV)")
  @Nullable Path models;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Run run = Run.of(policy, Run.pairs(settings), seed);
    try (OutputOptions.Opened folder = output.open()) {
      Machine machine = new Machine();
      Inputs inputs = Inputs.read(jobs, cluster, models);
      Summary summary = run(run, inputs, folder, machine);
      System.out.print(
          output.json
              ? Json.document(run.document(inputs, summary))
              : SummaryTable.of(run, inputs, summary));
    }
    return ExitStatus.OK;
  }

  private Summary run(Run run, Inputs inputs, OutputOptions.Opened folder, Machine machine) {
    LowerBounds bounds = LowerBounds.of(inputs.jobs(), inputs.cluster());
    Path path = folder.path();
    try (Progress progress = new Progress(policy, inputs.jobs().size())) {
      RunObserver observer =
          new RunObserver() {
            @Override
            public void progress(int finished) {
              progress.at(finished);
            }
          };
      if (path == null) {
        return run.summarize(inputs, run.simulate(inputs, observer), bounds);
      }
      Summary summary;
      try (RunFiles files = new RunFiles(path, run, inputs, observer)) {
        RunResult result = run.simulate(inputs, files);
        summary = run.summarize(inputs, result, bounds);
        files.finish(
            result,
            run.document(inputs, summary),
            machine.document(spec.commandLine().getParseResult().originalArgs()));
      }
      folder.commit();
      return summary;
    }
  }
}
