package io.ringmaster.cli.simulate;

import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.options.SeedOption;
import io.ringmaster.cli.options.WorkloadFiles;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.runs.Machine;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.runs.SharedProgress;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ringmaster simulate}: one run. */
@Command(
    name = "simulate",
    description = "Runs jobs under one policy.",
    mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin WorkloadFiles files = new WorkloadFiles();

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

  @Mixin SeedOption seed = new SeedOption();

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    PolicySpec named = Policies.named(policy);
    Map<String, String> given = NamedValues.of(settings);
    named.settings(given);
    try (OutputOptions.Opened folder = output.open()) {
      Machine machine = new Machine();
      RunInputs inputs = files.read();
      Run run = Run.of(named, given, seed.value, inputs.jobs());
      CompletedRun done = run(run, inputs, folder.path(), machine);
      folder.commit();
      System.out.print(output.json.given ? Json.document(done.document()) : SummaryTable.of(done));
      output.sayNext("the schedule and a page that shows it");
    }
    return ExitStatus.OK;
  }

  private CompletedRun run(Run run, RunInputs inputs, @Nullable Path folder, Machine machine) {
    try (Progress progress = new Progress(policy, inputs.jobs().size())) {
      RunObserver observer = new SharedProgress(progress::at).ofOneRun();
      if (folder == null) {
        return run.complete(inputs, false, observer);
      }
      RunFiles.Written written = RunFiles.write(folder, run, inputs, false, observer);
      RunPage.write(folder, written);
      machine.write(folder, spec.commandLine().getParseResult().originalArgs());
      return written.run();
    }
  }
}
