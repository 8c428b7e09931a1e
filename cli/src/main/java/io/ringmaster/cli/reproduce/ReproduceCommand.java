package io.ringmaster.cli.reproduce;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.options.ThreadsOption;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.registry.Experiments;
import io.ringmaster.model.BadInput;
import io.ringmaster.report.Page;
import io.ringmaster.report.ReproductionReport;
import io.ringmaster.runs.Machine;
import io.ringmaster.runs.Version;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.nio.file.Path;
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

/** {@code ringmaster reproduce}: a paper's experiment, our numbers beside the paper's. */
@Command(
    name = "reproduce",
    description = "Runs a paper's experiment again and prints our numbers beside the paper's.",
    mixinStandardHelpOptions = true)
public final class ReproduceCommand implements Callable<Integer> {
  private static final int MOST_DRAWS = 10_000;

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "the experiment; without it, all are listed")
  @Nullable String name;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description =
          "random workloads that each figure is the mean of (default: 30, or what takes some"
              + " minutes)")
  @Nullable Integer draws;

  @Mixin ThreadsOption threads = new ThreadsOption();

  @Mixin OutputOptions output = new OutputOptions();

  @Mixin WideOption wide = new WideOption();

  @Override
  public Integer call() {
    if (name == null) {
      System.out.print(list());
      System.err.println("Next: ringmaster reproduce NAME --draws 3 gives a first look");
      return ExitStatus.OK;
    }
    Experiment experiment = Experiments.named(name);
    int count = draws == null ? experiment.defaultDraws() : draws;
    if (count < 1 || count > MOST_DRAWS || threads.count < 1) {
      throw new BadInput(
          "--draws: expected a whole number from 1 to %d; --threads: one of at least 1"
              .formatted(MOST_DRAWS));
    }
    try (OutputOptions.Opened folder = output.open()) {
      Machine machine = new Machine();
      Experiment.Results results;
      try (Progress progress = new Progress(name, experiment.steps(count))) {
        results = experiment.run(count, threads.count, progress::at);
      }
      String document = Json.document(document(experiment, count, results));
      if (folder.path() != null) {
        write(folder.path(), results.plots(), document, machine);
        String page = Page.html(ReproductionReport.of(experiment, count, Version.text(), results));
        AtomicFile.write(folder.path().resolve(Page.FILE), page);
      }
      folder.commit();
      System.out.print(
          output.json.given
              ? document
              : ReproduceText.of(experiment, count, results, wide.columns()));
      output.sayNext("the numbers, plots and a page beside the paper's");
    }
    return ExitStatus.OK;
  }

  private static String list() {
    StringBuilder text = new StringBuilder();
    for (Experiment each : Experiments.all()) {
      text.append(each.name()).append('\n');
      text.append(Prose.wrapped("    ", each.summary()));
      text.append(Prose.wrapped("    ", "Source: " + each.source())).append('\n');
    }
    return text.toString();
  }

  private void write(Path folder, List<Plot> plots, String document, Machine machine) {
    AtomicFile.write(folder.resolve("results.json"), document);
    for (Plot plot : plots) {
      AtomicFile.write(folder.resolve(plot.name() + ".svg"), Chart.of(plot).fromZero().svg());
    }
    machine.write(folder, spec.commandLine().getParseResult().originalArgs());
  }

  private record Document(
      String experiment, int draws, String version, String source, List<Figure> rows) {}

  private record Figure(
      Map<String, Object> setting,
      String policy,
      String lengths,
      String metric,
      @Inline Statistics figure,
      @Nullable Double paper) {}

  private static Document document(Experiment experiment, int draws, Experiment.Results results) {
    return new Document(
        experiment.name(),
        draws,
        Version.text(),
        experiment.source(),
        results.rows().stream()
            .map(row ->
                new Figure(
                    row.setting(),
                    row.policy(),
                    row.lengthsWord(),
                    row.metric(),
                    row.figure(),
                    row.paper()))
            .toList());
  }
}
