package io.ringmaster.cli.simulate;

import io.ringmaster.bounds.Bound;
import io.ringmaster.cli.runs.Inputs;
import io.ringmaster.cli.runs.Machine;
import io.ringmaster.cli.runs.Run;
import io.ringmaster.cli.runs.RunFiles;
import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.cli.terminal.Version;
import io.ringmaster.experiments.Parallel;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.report.ComparedRun;
import io.ringmaster.report.Json;
import io.ringmaster.report.Page;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Statistics;
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
  private final List<String> settings;
  private final List<Summary> summaries = new ArrayList<>();

  /** What the page needs of each run; empty if none is written. */
  private final List<ComparedRun> kept = new ArrayList<>();

  record Planned(Run run, Inputs inputs, String folderName) {}

  private record Simulated(Summary summary, @Nullable ComparedRun kept) {}

  /**
   * A comparison without runs.
   *
   * @param settings as they were given, for the page to tell
   */
  Comparison(int threads, List<String> commandLine, List<String> settings, @Nullable Path folder) {
    this.threads = threads;
    this.commandLine = commandLine;
    this.settings = settings;
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
  private Statistics ratio(
      ComparedPolicy row,
      ToDoubleFunction<Summary> figure,
      Function<BoundCommand.Proofs, Bound> proof) {
    double[] ratios = new double[row.runs().size()];
    for (int i = 0; i < ratios.length; i++) {
      Summary summary = row.runs().get(i);
      Jobs jobs = planned.get(summaries.indexOf(summary)).inputs().jobs();
      BoundCommand.Proofs known = Objects.requireNonNull(proofs.get(jobs));
      ratios[i] = figure.applyAsDouble(summary) / proof.apply(known).lowerBoundSeconds();
    }
    return Statistics.of(ratios);
  }

  private Statistics jctRatio(ComparedPolicy row) {
    return ratio(row, s -> s.jctMeanSeconds() * s.jobs(), BoundCommand.Proofs::total);
  }

  private Statistics makespanRatio(ComparedPolicy row) {
    return ratio(row, Summary::makespanSeconds, BoundCommand.Proofs::makespan);
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
    boolean keepJobs = total <= ComparedRun.MOST_JOBS_KEPT;
    List<Simulated> all;
    try (Progress progress = new Progress("compare", total)) {
      all =
          Parallel.map(
              planned.size(),
              threads,
              _ -> {},
              i -> simulate(planned.get(i), new Watch(finished, progress), keepJobs));
    }
    for (Simulated each : all) {
      summaries.add(each.summary());
      if (each.kept() != null) {
        kept.add(each.kept());
      }
    }
  }

  /** Passes progress on. */
  private static final class Watch implements RunObserver {
    private final AtomicLong finished;
    private final Progress progress;
    private int before;

    Watch(AtomicLong finished, Progress progress) {
      this.finished = finished;
      this.progress = progress;
    }

    @Override
    public void progress(int now) {
      progress.at(finished.addAndGet(now - before));
      before = now;
    }
  }

  /** Passes progress on, and keeps the segments of a run that is to be validated. */
  private static final class Keeping implements RunObserver {
    private final Watch watch;
    private final Segments segments = new Segments();

    Keeping(Watch watch) {
      this.watch = watch;
    }

    @Override
    public void progress(int now) {
      watch.progress(now);
    }

    @Override
    public void segment(
        int job, double startSeconds, double endSeconds, double warmup, Placement placement) {
      segments.segment(job, startSeconds, endSeconds, warmup, placement);
    }
  }

  private boolean validates(Inputs inputs) {
    return inputs.jobs().size() <= MOST_JOBS_VALIDATED;
  }

  private Simulated simulate(Planned each, Watch watch, boolean keepJobs) {
    Run run = each.run();
    Inputs inputs = each.inputs();
    if (folder != null) {
      return simulateInto(folder.resolve(each.folderName()), each, watch, keepJobs);
    }
    RunResult result;
    if (validates(inputs)) {
      Keeping keeping = new Keeping(watch);
      result = run.simulate(inputs, keeping);
      validate(each, keeping.segments, result);
    } else {
      result = run.simulate(inputs, watch);
    }
    return new Simulated(run.summarize(inputs, result, bound(inputs)), null);
  }

  private Simulated simulateInto(Path own, Planned each, Watch watch, boolean keepJobs) {
    Run run = each.run();
    Inputs inputs = each.inputs();
    try {
      Files.createDirectory(own);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + own + ": " + AtomicFile.reason(e), e);
    }
    try (RunFiles files = new RunFiles(own, run, inputs, watch)) {
      RunResult result = run.simulate(inputs, files);
      Summary summary = run.summarize(inputs, result, bound(inputs));
      files.finish(result, run.document(inputs, summary), machine.document(commandLine));
      if (validates(inputs)) {
        validate(each, files.segments(), result);
      }
      boolean draw = run.seed() == planned.getFirst().run().seed();
      return new Simulated(
          summary,
          ComparedRun.of(
              inputs.cluster(),
              inputs.jobs(),
              result,
              files.segments(),
              bound(inputs).makespanSeconds(),
              keepJobs,
              draw));
    }
  }

  private static void validate(Planned each, Segments segments, RunResult result) {
    Inputs inputs = each.inputs();
    List<String> findings =
        Validator.check(inputs.cluster(), inputs.jobs(), segments, Validator.Outcomes.of(result));
    if (!findings.isEmpty()) {
      throw new IllegalStateException(
          "policy %s made a schedule that cannot be: %s"
              .formatted(each.run().spec().name(), findings.getFirst()));
    }
  }

  private LowerBounds bound(Inputs inputs) {
    LowerBounds lower = bounds.get(inputs.jobs());
    if (lower == null) {
      throw new IllegalStateException("no bound for these jobs");
    }
    return lower;
  }

  /** Writes the comparison's own summary and page beside the folders of its runs. */
  void write() {
    if (folder != null) {
      List<ComparedPolicy> best = bestFirst();
      List<Map<String, Object>> figures = new ArrayList<>();
      for (ComparedPolicy row : best) {
        Map<String, Object> own = row.figures();
        if (!proofs.isEmpty()) {
          own.put("jct_over_unstopped", ComparedPolicy.document(jctRatio(row)));
          own.put("makespan_over_unstopped", ComparedPolicy.document(makespanRatio(row)));
        }
        figures.add(own);
      }
      ComparisonPage page =
          new ComparisonPage(planned, kept, best.stream().map(ComparedPolicy::policy).toList());
      AtomicFile.write(
          folder.resolve(Page.FILE),
          Page.html(page.data(figures, validated(), proofsDocument(), settings, least(), threads)));
      AtomicFile.write(folder.resolve(RunFiles.SUMMARY), Json.document(document()));
      AtomicFile.write(folder.resolve(RunFiles.RUN), Json.document(machine.document(commandLine)));
    }
  }

  private List<Map<String, Object>> proofsDocument() {
    List<Map<String, Object>> bounds = new ArrayList<>();
    proofs.forEach((jobs, proof) -> bounds.add(proof.document(jobs.size())));
    return bounds;
  }

  private boolean validated() {
    return planned.stream().allMatch(p -> validates(p.inputs()));
  }

  Map<String, Object> document() {
    Map<String, Object> out = new LinkedHashMap<>();
    List<Map<String, Object>> policies = new ArrayList<>();
    for (ComparedPolicy row : ComparedPolicy.of(summaries)) {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("policy", row.policy());
      figures.put("seeds", row.runs().size());
      figures.putAll(row.figures());
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
      out.put("no_preemption_bounds", proofsDocument());
    }
    out.put("runs", runs);
    return out;
  }

  private List<ComparedPolicy> bestFirst() {
    List<ComparedPolicy> rows = new ArrayList<>(ComparedPolicy.of(summaries));
    rows.sort(Comparator.comparingDouble(r -> r.of(Summary::jctMeanSeconds).mean()));
    return rows;
  }

  /** What no schedule can beat, mean over seeds. */
  private Least least() {
    ComparedPolicy all = new ComparedPolicy("", summaries);
    return new Least(
        all.of(s -> s.lowerBounds().meanJctSeconds()).mean(),
        all.of(s -> s.lowerBounds().makespanSeconds()).mean());
  }

  record Least(double jctSeconds, double makespanSeconds) {}

  String table() {
    List<ComparedPolicy> rows = bestFirst();
    List<String> header = new ArrayList<>(List.of("policy"));
    List<Durations> units = new ArrayList<>();
    for (ComparedPolicy.Figure figure : ComparedPolicy.FIGURES) {
      double[] means =
          rows.stream().mapToDouble(r -> r.of(figure.value()).mean()).sorted().toArray();
      Durations unit = Durations.fitting(means[means.length / 2]);
      units.add(unit);
      header.add(
          figure.format() == ComparedPolicy.Format.TIME
              ? figure.title() + ", " + unit.label()
              : figure.title());
    }
    boolean searched = !proofs.isEmpty();
    if (searched) {
      header.addAll(List.of("JCT / unstopped", "makespan / unstopped"));
    }
    Table table = new Table(header);
    for (ComparedPolicy row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.policy()));
      for (int i = 0; i < units.size(); i++) {
        ComparedPolicy.Figure figure = ComparedPolicy.FIGURES.get(i);
        cells.add(figure.cell(row.of(figure.value()), units.get(i)));
      }
      if (searched) {
        cells.add(String.format(Locale.ROOT, "%.2f", jctRatio(row).mean()));
        cells.add(String.format(Locale.ROOT, "%.2f", makespanRatio(row).mean()));
      }
      table.row(cells);
    }
    return SummaryTable.headline(planned.getFirst().inputs())
        + "\n\n"
        + table.text()
        + "\nBest mean JCT first. No schedule has a mean JCT below "
        + Durations.text(least().jctSeconds())
        + " or a makespan below "
        + Durations.text(least().makespanSeconds())
        + "."
        + (validated() ? " Every schedule was validated.\n" : "\n")
        + proofsText();
  }
}
