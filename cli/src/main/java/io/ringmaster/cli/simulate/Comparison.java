package io.ringmaster.cli.simulate;

import io.ringmaster.bounds.Bound;
import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Past;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.report.ComparedRun;
import io.ringmaster.report.Page;
import io.ringmaster.report.SearchedBounds;
import io.ringmaster.runs.Machine;
import io.ringmaster.runs.Parallel;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.runs.SharedProgress;
import io.ringmaster.runs.SummaryDocument;
import io.ringmaster.runs.Version;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.simulator.Summary;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
  private final Map<Jobs, BoundCommand.Proofs> proofs = new LinkedHashMap<>();
  private final List<String> settings;
  private final List<Summary> summaries = new ArrayList<>();
  private final List<SummaryDocument> documents = new ArrayList<>();

  /** What the page needs of each run; empty if none is written. */
  private final List<ComparedRun> kept = new ArrayList<>();

  record Planned(Run run, RunInputs inputs, String folderName) {}

  private record Simulated(SummaryDocument document, @Nullable ComparedRun kept) {}

  /**
   * @param settings as they were given, for the page to tell
   */
  Comparison(int threads, List<String> commandLine, List<String> settings, @Nullable Path folder) {
    this.threads = threads;
    this.commandLine = commandLine;
    this.settings = settings;
    this.folder = folder;
  }

  void add(Run run, RunInputs inputs, boolean nameSeed) {
    String name = run.spec().name() + (nameSeed ? "-seed" + run.seed() : "");
    planned.add(new Planned(run, inputs, name));
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

  void run() {
    long total = planned.stream().mapToLong(p -> p.inputs().jobs().size()).sum();
    boolean keepJobs = total <= ComparedRun.MOST_JOBS_KEPT;
    List<Simulated> all;
    try (Progress progress = new Progress("compare", total)) {
      SharedProgress shared = new SharedProgress(progress::at);
      all =
          Parallel.map(
              planned.size(),
              threads,
              _ -> {},
              i -> simulate(planned.get(i), shared.ofOneRun(), keepJobs));
    }
    for (Simulated each : all) {
      documents.add(each.document());
      summaries.add(each.document().figures());
      if (each.kept() != null) {
        kept.add(each.kept());
      }
    }
  }

  private static boolean validates(RunInputs inputs) {
    return inputs.jobs().size() <= MOST_JOBS_VALIDATED;
  }

  private Simulated simulate(Planned each, RunObserver progress, boolean keepJobs) {
    Run run = each.run();
    RunInputs inputs = each.inputs();
    if (folder == null) {
      return new Simulated(run.complete(inputs, validates(inputs), progress).document(), null);
    }
    Path own = folder.resolve(each.folderName());
    RunFiles.Written written = RunFiles.write(own, run, inputs, validates(inputs), progress);
    RunPage.write(own, written);
    machine.write(own, commandLine);
    boolean draw = run.seed() == planned.getFirst().run().seed();
    return new Simulated(
        written.run().document(),
        ComparedRun.of(
            inputs.cluster(),
            inputs.jobs(),
            written.run().result(),
            written.segments(),
            inputs.lowerBounds().makespanSeconds(),
            keepJobs,
            draw));
  }

  /** Writes the comparison's own summary and page beside the folders of its runs. */
  void write() {
    if (folder != null) {
      List<ComparedPolicy> best = bestFirst();
      List<Map<String, Statistics>> figures = new ArrayList<>();
      for (ComparedPolicy row : best) {
        Map<String, Statistics> own = row.figures();
        if (!proofs.isEmpty()) {
          own.put("jct_over_unstopped", jctRatio(row));
          own.put("makespan_over_unstopped", makespanRatio(row));
        }
        figures.add(own);
      }
      ComparisonPage page = new ComparisonPage(headline(), planned, kept, best, truth(), notes());
      AtomicFile.write(
          folder.resolve(Page.FILE),
          Page.html(page.data(figures, validated(), proofsDocument(), settings, least(), threads)));
      AtomicFile.write(folder.resolve(RunFiles.SUMMARY), Json.document(document()));
      machine.write(folder, commandLine);
    }
  }

  private List<SearchedBounds> proofsDocument() {
    List<SearchedBounds> bounds = new ArrayList<>();
    proofs.forEach((jobs, proof) -> bounds.add(proof.document(jobs.size())));
    return bounds;
  }

  private boolean validated() {
    return planned.stream().allMatch(p -> validates(p.inputs()));
  }

  /** What the summary.json of a comparison holds. */
  record Document(
      String version,
      boolean validated,
      List<PolicyDocument> policies,
      Optional<Truth> truth,
      Optional<List<SearchedBounds>> noPreemptionBounds,
      List<SummaryDocument> runs) {}

  /** One policy over all seeds. */
  record PolicyDocument(
      String policy, String lengths, int seeds, @Inline Map<String, Statistics> figures) {}

  Document document() {
    return new Document(
        Version.text(),
        validated(),
        policies().stream()
            .map(row ->
                new PolicyDocument(
                    row.policy(), row.lengths().word(), row.runs().size(), row.figures()))
            .toList(),
        truth(),
        proofs.isEmpty() ? Optional.empty() : Optional.of(proofsDocument()),
        documents);
  }

  private List<ComparedPolicy> policies() {
    return ComparedPolicy.of(planned.stream().map(Planned::run).toList(), summaries);
  }

  private List<ComparedPolicy> bestFirst() {
    List<ComparedPolicy> rows = new ArrayList<>(policies());
    rows.sort(Comparator.comparingDouble(r -> r.of(Summary::jctMeanSeconds).mean()));
    return rows;
  }

  /** What no schedule can beat, mean over seeds. */
  private Least least() {
    ComparedPolicy all = new ComparedPolicy("", KnownLengths.NONE, summaries);
    return new Least(
        all.of(Summary::lowerBoundJctSeconds).mean(),
        all.of(Summary::lowerBoundMakespanSeconds).mean());
  }

  record Least(double jctSeconds, double makespanSeconds) {}

  /** What was compared on what: each seed may have drawn other jobs. */
  private String headline() {
    long seeds = planned.stream().map(p -> p.run().seed()).distinct().count();
    return SummaryTable.headline(
            planned.stream().map(p -> p.inputs().jobs()).distinct().toList(),
            planned.getFirst().inputs().cluster())
        + (seeds > 1 ? ". Each policy with %d seeds".formatted(seeds) : "");
  }

  /** For a person, in so many columns. */
  String text(int columns) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "Best mean JCT first. No schedule has a mean JCT below %s or a makespan below %s.%s"
            .formatted(
                Durations.text(least().jctSeconds()),
                Durations.text(least().makespanSeconds()),
                validated() ? " Every schedule was validated." : ""));
    sentences.addAll(notes());
    proofs.forEach((jobs, proof) -> sentences.addAll(proof.sentences(jobs.size())));
    return new ComparisonText(
            headline(),
            bestFirst(),
            truth(),
            proofs.isEmpty()
                ? List.of()
                : List.of(
                    new ComparisonText.Ratio("JCT / unstopped", row -> jctRatio(row).mean()),
                    new ComparisonText.Ratio(
                        "makespan / unstopped", row -> makespanRatio(row).mean())),
            sentences)
        .text(columns);
  }

  /** What whoever reads the figures must know. */
  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    truth().ifPresent(happened -> notes.add(happened.sentence()));
    notes.addAll(
        Caveats.of(
            planned.getFirst().inputs(),
            bestFirst().stream().map(row -> run(row.policy())).toList()));
    return notes;
  }

  private Run run(String policy) {
    return planned.stream()
        .map(Planned::run)
        .filter(run -> run.spec().name().equals(policy))
        .findFirst()
        .orElseThrow();
  }

  private Optional<Truth> truth() {
    return Past.of(planned.getFirst().inputs().jobs()).map(past -> Truth.of(past, policies()));
  }
}
