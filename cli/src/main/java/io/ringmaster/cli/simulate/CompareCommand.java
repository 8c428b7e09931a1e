package io.ringmaster.cli.simulate;

import io.ringmaster.cli.options.ModelsOption;
import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.options.ThreadsOption;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.options.WorkloadFiles;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringmaster compare}: the same jobs under many policies. */
@Command(
    name = "compare",
    description = {
      "Runs the same jobs under many policies, side by side.",
      "Without JOBS: a generated week like Philly's on 64 servers of 8 GPUs."
    },
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  private static final String DEFAULT_WORKLOAD = "philly";

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "JOBS",
      arity = "0..1",
      description = "jobs file (CSV; .gz, .xz and .zst too)")
  @Nullable Path jobs;

  @Option(names = "--cluster", paramLabel = "FILE", description = "cluster (YAML)")
  @Nullable Path cluster;

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "NAME",
      description = "policies to compare (default: all)")
  List<String> policies = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "[POLICY.]NAME=VALUE",
      description = "a setting of one policy, or of every policy that has it; may be repeated")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "repeat with this many seeds and give 95 %% intervals (default: 1)")
  int seeds = 1;

  @Option(names = "--seed", paramLabel = "N", description = "the first seed (default: 1)")
  long firstSeed = 1;

  @Mixin ModelsOption models = new ModelsOption();

  @Mixin ThreadsOption threads = new ThreadsOption();

  @Option(
      names = "--bound",
      paramLabel = "SECONDS",
      description =
          "search for so long for what schedules that do not stop jobs can do at best (default:"
              + " not)")
  @Nullable Double boundSeconds;

  @Mixin OutputOptions output = new OutputOptions();

  @Mixin WideOption wide = new WideOption();

  @Override
  public Integer call() {
    if (seeds < 1 || threads.count < 1) {
      throw new BadInput("--seeds and --threads: expected a whole number of at least 1");
    }
    if (jobs != null && cluster == null) {
      throw new BadInput("compare: JOBS needs a cluster; add --cluster FILE");
    }
    if (jobs == null && (cluster != null || models.file != null)) {
      throw new BadInput("compare: --cluster and --models need JOBS");
    }
    if (boundSeconds != null) {
      BoundCommand.check(boundSeconds, "--bound");
    }
    List<PolicySpec> chosen = chosen();
    Map<String, Map<String, String>> given = settingsByPolicy(chosen);
    try (OutputOptions.Opened folder = output.open()) {
      Comparison comparison =
          new Comparison(
              threads.count,
              spec.commandLine().getParseResult().originalArgs(),
              settings,
              folder.path());
      RunInputs fromFiles =
          jobs != null && cluster != null ? WorkloadFiles.read(jobs, cluster, models.file) : null;
      for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
        RunInputs inputs = fromFiles == null ? generated(seed) : fromFiles;
        for (PolicySpec policy : chosen) {
          Map<String, String> values = given.getOrDefault(policy.name(), Map.of());
          comparison.add(Run.of(policy, values, seed, inputs.jobs()), inputs, seeds > 1);
        }
      }
      comparison.run();
      if (boundSeconds != null) {
        comparison.prove(boundSeconds);
      }
      comparison.write();
      folder.commit();
      System.out.print(
          output.json.given
              ? Json.document(comparison.document())
              : comparison.text(wide.columns()));
      output.sayNext("every schedule and a page that compares them, job by job");
    }
    return ExitStatus.OK;
  }

  private static RunInputs generated(long seed) {
    Generated workload = Generators.generate(DEFAULT_WORKLOAD, Map.of(), seed);
    return new RunInputs(
        workload.cluster(), workload.jobs(), new RunInputs.Generated(DEFAULT_WORKLOAD, seed));
  }

  private List<PolicySpec> chosen() {
    if (policies.isEmpty()) {
      return Policies.all();
    }
    List<String> distinct = policies.stream().distinct().toList();
    if (distinct.size() < policies.size()) {
      throw new BadInput("--policies: each policy once");
    }
    return distinct.stream().map(Policies::named).toList();
  }

  /** {@code name=value} is for all policies that have it, {@code policy.name=value} for one. */
  private Map<String, Map<String, String>> settingsByPolicy(List<PolicySpec> chosen) {
    Map<String, Map<String, String>> general = new LinkedHashMap<>();
    Map<String, Map<String, String>> own = new LinkedHashMap<>();
    NamedValues.of(settings)
        .forEach((name, value) -> {
          int dot = name.indexOf('.');
          if (dot > 0) {
            String policy = compared(name.substring(0, dot), name, chosen);
            set(own, policy, name.substring(dot + 1), value);
          } else {
            having(name, chosen).forEach(p -> set(general, p.name(), name, value));
          }
        });
    own.forEach((policy, values) -> values.forEach((n, v) -> set(general, policy, n, v)));
    return general;
  }

  private static String compared(String policy, String setting, List<PolicySpec> chosen) {
    String name = Policies.named(policy).name();
    if (chosen.stream().noneMatch(p -> p.name().equals(name))) {
      throw new BadInput("--set " + setting + ": " + name + " is not compared");
    }
    return name;
  }

  private static List<PolicySpec> having(String setting, List<PolicySpec> chosen) {
    List<PolicySpec> having = chosen.stream().filter(p -> names(p).contains(setting)).toList();
    if (having.isEmpty()) {
      List<String> known = chosen.stream().flatMap(p -> names(p).stream()).distinct().toList();
      throw new BadInput(
          "--set %s: no compared policy has it; %s"
              .formatted(setting, Settings.Nearest.hint(setting, known)));
    }
    return having;
  }

  private static List<String> names(PolicySpec policy) {
    return policy.parameters().stream().map(Parameter::name).toList();
  }

  private static void set(
      Map<String, Map<String, String>> byPolicy, String policy, String name, String value) {
    byPolicy.computeIfAbsent(policy, _ -> new LinkedHashMap<>()).put(name, value);
  }
}
