package io.ringmaster.cli;

import io.ringmaster.bounds.Bound;
import io.ringmaster.experiments.Parallel;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.report.Json;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.simulator.Stretches;
import io.ringmaster.simulator.Summary;
import io.ringmaster.simulator.Validator;
import io.ringmaster.workload.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Many runs at the same time. The order of results does not depend on how many. */
final class Comparison {
  /** Above this, checking would cost as much as simulating; 'ringmaster validate' still does it. */
  private static final int MOST_JOBS_VALIDATED = 100_000;

  private final int threads;
  private final List<String> commandLine;
  private final @Nullable Path folder;
  private final Machine machine = new Machine();
  private final List<Planned> planned = new ArrayList<>();
  private final Map<Jobs, LowerBounds> bounds = new HashMap<>();
  private final Map<Jobs, BoundCommand.Proofs> proofs = new LinkedHashMap<>();
  private final List<Summary> summaries = new ArrayList<>();

  private record Planned(Run run, Inputs inputs, String folderName) {}

  /** One policy over all seeds. */
  private record Row(String policy, List<Summary> runs) {
    Statistics of(ToDoubleFunction<Summary> figure) {
      return Statistics.of(runs.stream().mapToDouble(figure).toArray());
    }
  }

  Comparison(int threads, List<String> commandLine, @Nullable Path folder) {
    this.threads = threads;
    this.commandLine = commandLine;
    this.folder = folder;
  }

  void add(Run run, Inputs inputs, boolean nameSeed) {
    String name = run.spec().name() + (nameSeed ? "-seed" + run.seed() : "");
    planned.add(new Planned(run, inputs, name));
    bounds.computeIfAbsent(inputs.jobs(), jobs -> LowerBounds.of(jobs, inputs.cluster()));
  }

  /** Searches for the best schedules that do not stop jobs, for so many seconds. */
  void prove(double seconds) {
    for (Planned each : planned) {
      proofs.computeIfAbsent(
          each.inputs().jobs(), _ -> BoundCommand.Proofs.of(each.inputs(), seconds));
    }
  }

  /** How far a policy is from what no schedule that does not stop jobs can beat. */
  private String ratio(
      Row row, ToDoubleFunction<Summary> figure, Function<BoundCommand.Proofs, Bound> proof) {
    double[] ratios = new double[row.runs().size()];
    for (int i = 0; i < ratios.length; i++) {
      Summary summary = row.runs().get(i);
      Jobs jobs = planned.get(summaries.indexOf(summary)).inputs().jobs();
      BoundCommand.Proofs known = Objects.requireNonNull(proofs.get(jobs));
      ratios[i] = figure.applyAsDouble(summary) / proof.apply(known).lowerBoundSeconds();
    }
    return String.format(Locale.ROOT, "%.2f", Statistics.of(ratios).mean());
  }

  private String proofsText() {
    StringBuilder text = new StringBuilder();
    proofs.forEach((jobs, proof) ->
        text.append(
            """

            Of schedules that do not stop jobs, none has
              a makespan below %s; best found %s, %s;
              a mean JCT below %s; best found %s, %s.
            """
                .formatted(
                    Durations.text(proof.makespan().lowerBoundSeconds()),
                    BoundCommand.cell(proof.makespan().bestFoundSeconds()),
                    BoundCommand.Proofs.verdict(proof.makespan()),
                    Durations.text(proof.total().lowerBoundSeconds() / jobs.size()),
                    BoundCommand.cell(proof.total().bestFoundSeconds() / jobs.size()),
                    BoundCommand.Proofs.verdict(proof.total()))));
    return text.toString();
  }

  void run() {
    long total = planned.stream().mapToLong(p -> p.inputs().jobs().size()).sum();
    AtomicLong finished = new AtomicLong();
    try (Progress progress = new Progress("compare", total)) {
      summaries.addAll(
          Parallel.map(
              planned.size(), threads, _ -> {}, i -> simulate(planned.get(i), finished, progress)));
    }
  }

  /** Passes progress on, and keeps the stretches of a run that is to be validated. */
  private static final class Watch implements RunObserver {
    private final AtomicLong finished;
    private final Progress progress;
    private final @Nullable Stretches stretches;
    private int before;

    Watch(AtomicLong finished, Progress progress, @Nullable Stretches stretches) {
      this.finished = finished;
      this.progress = progress;
      this.stretches = stretches;
    }

    @Override
    public void progress(int now) {
      progress.at(finished.addAndGet(now - before));
      before = now;
    }

    @Override
    public void segment(
        int job, double startSeconds, double endSeconds, double warmup, Placement placement) {
      if (stretches != null) {
        stretches.segment(job, startSeconds, endSeconds, warmup, placement);
      }
    }
  }

  private boolean validates(Inputs inputs) {
    return inputs.jobs().size() <= MOST_JOBS_VALIDATED;
  }

  private Summary simulate(Planned each, AtomicLong finished, Progress progress) {
    Run run = each.run();
    Inputs inputs = each.inputs();
    LowerBounds lower = bound(inputs);
    Stretches stretches = validates(inputs) ? new Stretches() : null;
    RunObserver observer = new Watch(finished, progress, stretches);
    RunResult result;
    Summary summary;
    if (folder == null) {
      result = run.simulate(inputs, observer);
      summary = run.summarize(inputs, result, lower);
    } else {
      Path own = folder.resolve(each.folderName());
      try {
        Files.createDirectory(own);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + own + ": " + AtomicFile.reason(e), e);
      }
      try (RunFiles files = new RunFiles(own, run, inputs, observer)) {
        result = run.simulate(inputs, files);
        summary = run.summarize(inputs, result, lower);
        files.finish(result, run.document(inputs, summary), machine.document(commandLine));
      }
    }
    if (stretches != null) {
      List<String> findings =
          Validator.check(
              inputs.cluster(), inputs.jobs(), stretches, Validator.Outcomes.of(result));
      if (!findings.isEmpty()) {
        throw new IllegalStateException(
            "policy %s made a schedule that cannot be: %s"
                .formatted(run.spec().name(), findings.getFirst()));
      }
    }
    return summary;
  }

  private LowerBounds bound(Inputs inputs) {
    LowerBounds lower = bounds.get(inputs.jobs());
    if (lower == null) {
      throw new IllegalStateException("no bound for these jobs");
    }
    return lower;
  }

  /** Writes the comparison's own summary beside the folders of its runs. */
  void write() {
    if (folder != null) {
      AtomicFile.write(folder.resolve(RunFiles.SUMMARY), Json.document(document()));
      AtomicFile.write(folder.resolve(RunFiles.RUN), Json.document(machine.document(commandLine)));
    }
  }

  private List<Row> rows() {
    Map<String, List<Summary>> byPolicy = new LinkedHashMap<>();
    for (Summary summary : summaries) {
      byPolicy.computeIfAbsent(summary.policy(), _ -> new ArrayList<>()).add(summary);
    }
    List<Row> rows = new ArrayList<>();
    byPolicy.forEach((policy, runs) -> rows.add(new Row(policy, runs)));
    return rows;
  }

  private boolean validated() {
    return planned.stream().allMatch(p -> validates(p.inputs()));
  }

  Map<String, Object> document() {
    Map<String, Object> out = new LinkedHashMap<>();
    List<Map<String, Object>> policies = new ArrayList<>();
    for (Row row : rows()) {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("policy", row.policy());
      figures.put("seeds", row.runs().size());
      for (Figure figure : FIGURES) {
        Statistics statistics = row.of(figure.value());
        Map<String, Object> pair = new LinkedHashMap<>();
        pair.put("mean", statistics.mean());
        pair.put("ci95", statistics.ci95());
        figures.put(figure.key(), pair);
      }
      policies.add(figures);
    }
    List<Map<String, Object>> runs = new ArrayList<>();
    for (int i = 0; i < planned.size(); i++) {
      runs.add(planned.get(i).run().document(planned.get(i).inputs(), summaries.get(i)));
    }
    out.put("version", Version.text());
    out.put("validated", validated());
    out.put("policies", policies);
    if (!proofs.isEmpty()) {
      List<Map<String, Object>> bounds = new ArrayList<>();
      proofs.forEach((jobs, proof) -> bounds.add(proof.document(jobs.size())));
      out.put("no_preemption_bounds", bounds);
    }
    out.put("runs", runs);
    return out;
  }

  private enum Format {
    TIME,
    SHARE,
    RATIO,
    COUNT
  }

  /** A column of a comparison. */
  private record Figure(String key, String title, ToDoubleFunction<Summary> value, Format format) {
    String cell(Statistics s, Durations unit) {
      return switch (format) {
        case TIME -> unit.number(s.mean()) + (s.ci95() > 0 ? " ±" + unit.number(s.ci95()) : "");
        case SHARE -> SummaryTable.percent(s.mean());
        case RATIO -> String.format(Locale.ROOT, "%.2f", s.mean());
        case COUNT -> String.format(Locale.ROOT, "%,.0f", s.mean());
      };
    }
  }

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("jct_mean_s", "mean JCT", Summary::jctMeanSeconds, Format.TIME),
          new Figure("jct_p50_s", "median", Summary::jctP50Seconds, Format.TIME),
          new Figure("jct_p95_s", "p95", Summary::jctP95Seconds, Format.TIME),
          new Figure("jct_p99_s", "p99", Summary::jctP99Seconds, Format.TIME),
          new Figure("wait_mean_s", "mean wait", Summary::waitMeanSeconds, Format.TIME),
          new Figure("makespan_s", "makespan", Summary::makespanSeconds, Format.TIME),
          new Figure("gpu_utilization", "GPUs used", Summary::gpuUtilization, Format.SHARE),
          new Figure("slowdown_mean", "slowdown", Summary::slowdownMean, Format.RATIO),
          new Figure("restarts", "restarts", s -> (double) s.restarts(), Format.COUNT),
          new Figure(
              "jct_over_bound",
              "JCT / bound",
              s -> s.jctMeanSeconds() / s.lowerBounds().meanJctSeconds(),
              Format.RATIO),
          new Figure(
              "makespan_over_bound",
              "makespan / bound",
              s -> s.makespanSeconds() / s.lowerBounds().makespanSeconds(),
              Format.RATIO));

  String table() {
    List<Row> rows = new ArrayList<>(rows());
    rows.sort(Comparator.comparingDouble(r -> r.of(Summary::jctMeanSeconds).mean()));
    List<String> header = new ArrayList<>(List.of("policy"));
    List<Durations> units = new ArrayList<>();
    for (Figure figure : FIGURES) {
      double[] means =
          rows.stream().mapToDouble(r -> r.of(figure.value()).mean()).sorted().toArray();
      Durations unit = Durations.fitting(means[means.length / 2]);
      units.add(unit);
      header.add(
          figure.format() == Format.TIME ? figure.title() + ", " + unit.label() : figure.title());
    }
    boolean searched = !proofs.isEmpty();
    if (searched) {
      header.addAll(List.of("JCT / unstopped", "makespan / unstopped"));
    }
    Table table = new Table(header);
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.policy()));
      for (int i = 0; i < units.size(); i++) {
        Figure figure = FIGURES.get(i);
        cells.add(figure.cell(row.of(figure.value()), units.get(i)));
      }
      if (searched) {
        cells.add(ratio(row, s -> s.jctMeanSeconds() * s.jobs(), BoundCommand.Proofs::total));
        cells.add(ratio(row, Summary::makespanSeconds, BoundCommand.Proofs::makespan));
      }
      table.row(cells);
    }
    Row all = new Row("", summaries);
    double jct = all.of(s -> s.lowerBounds().meanJctSeconds()).mean();
    double makespan = all.of(s -> s.lowerBounds().makespanSeconds()).mean();
    return SummaryTable.headline(planned.getFirst().inputs())
        + "\n\n"
        + table.text()
        + "\nBest mean JCT first. No schedule has a mean JCT below "
        + Durations.text(jct)
        + " or a makespan below "
        + Durations.text(makespan)
        + "."
        + (validated() ? " Every schedule was validated.\n" : "\n")
        + proofsText();
  }
}
