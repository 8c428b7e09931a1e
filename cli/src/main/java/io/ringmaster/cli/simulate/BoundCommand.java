package io.ringmaster.cli.simulate;

import io.ringmaster.bounds.BestSchedule;
import io.ringmaster.bounds.Bound;
import io.ringmaster.bounds.Objective;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.WorkloadFiles;
import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.model.BadInput;
import io.ringmaster.report.SearchedBounds;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.runs.Version;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringmaster bound}: how good a schedule could be. */
@Command(
    name = "bound",
    description = "Says how good a schedule of these jobs could be at best, and what is proved.",
    mixinStandardHelpOptions = true)
public final class BoundCommand implements Callable<Integer> {
  private static final double MOST_SECONDS = 86_400;

  @Mixin WorkloadFiles files = new WorkloadFiles();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "time to search for, half for each bound (default: 10)")
  double seconds = 10;

  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    check(seconds, "--seconds");
    RunInputs inputs = files.read();
    LowerBounds relaxed = inputs.lowerBounds();
    Proofs proofs = Proofs.of(inputs, seconds);
    System.out.print(
        json.given
            ? Json.document(document(inputs, relaxed, proofs))
            : table(inputs, relaxed, proofs));
    if (!json.given) {
      System.err.print(
          Prose.wrapped(
              "Next: ", "ringmaster compare with these files and --bound sets policies beside it"));
    }
    return ExitStatus.OK;
  }

  static void check(double seconds, String option) {
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      throw new BadInput(
          "%s: expected a number above 0 and up to %.0f".formatted(option, MOST_SECONDS));
    }
  }

  record Proofs(Bound makespan, Bound total, double seconds) {
    static Proofs of(RunInputs inputs, double seconds) {
      try (Progress progress = new Progress("bound", Math.round(1000 * seconds));
          Ticker _ = new Ticker(progress)) {
        return new Proofs(
            BestSchedule.of(Objective.MAKESPAN, inputs.jobs(), inputs.cluster(), seconds / 2),
            BestSchedule.of(
                Objective.TOTAL_COMPLETION, inputs.jobs(), inputs.cluster(), seconds / 2),
            seconds);
      }
    }

    /** What the no-preemption bound says, for a document. */
    SearchedBounds document(int jobs) {
      return new SearchedBounds(
          SearchedBounds.Figures.of(makespan, 1), SearchedBounds.Figures.of(total, jobs), seconds);
    }

    List<String> sentences(int jobs) {
      return List.of(sentence("a makespan", makespan, 1), sentence("a mean JCT", total, jobs));
    }

    private static String sentence(String what, Bound bound, int jobs) {
      return "Of schedules that do not stop jobs, none has %s below %s; best found %s, %s."
          .formatted(
              what,
              cell(bound.lowerBoundSeconds() / jobs),
              cell(bound.bestFoundSeconds() / jobs),
              verdict(bound));
    }

    static String verdict(Bound bound) {
      return switch (bound.status()) {
        case OPTIMAL -> "proved: no schedule that does not stop jobs is better";
        case BOUND ->
            String.format(
                Locale.ROOT,
                "not proved: the best lies within %.1f %% below",
                100 * (1 - bound.lowerBoundSeconds() / bound.bestFoundSeconds()));
        case SKIPPED -> "nothing was searched: too many jobs, or more than GPUs is limited";
      };
    }
  }

  /** Moves the bar on with the clock: a search does not tell how far it is. */
  private static final class Ticker implements AutoCloseable {
    private final Thread thread;

    Ticker(Progress progress) {
      long started = System.nanoTime();
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  while (true) {
                    Thread.sleep(200);
                    progress.at((System.nanoTime() - started) / 1_000_000);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }

  private record Document(
      Makespan makespan,
      TotalCompletion totalCompletion,
      int jobs,
      int gpus,
      String cluster,
      double seconds,
      String version,
      RunInputs.Provenance inputs) {}

  private record Makespan(
      double areaSeconds, double longestJobSeconds, @Inline SearchedBounds.Figures figures) {}

  private record TotalCompletion(
      @Inline SearchedBounds.Figures figures, SearchedBounds.Seconds meanJct) {}

  private static Document document(RunInputs inputs, LowerBounds relaxed, Proofs proofs) {
    return new Document(
        new Makespan(
            relaxed.areaSeconds(),
            relaxed.longestJobSeconds(),
            SearchedBounds.Figures.of(proofs.makespan(), 1)),
        new TotalCompletion(
            SearchedBounds.Figures.of(proofs.total(), 1),
            SearchedBounds.Seconds.of(proofs.total(), inputs.jobs().size())),
        inputs.jobs().size(),
        inputs.cluster().totalGpus(),
        inputs.cluster().name(),
        proofs.seconds(),
        Version.text(),
        inputs.provenance());
  }

  private static String table(RunInputs inputs, LowerBounds relaxed, Proofs proofs) {
    int n = inputs.jobs().size();
    Bound makespan = proofs.makespan();
    Bound total = proofs.total();
    List<Line> lines =
        List.of(
            new Line("all work on all GPUs", relaxed.areaSeconds(), relaxed.oneMachineJctSeconds()),
            new Line("each job alone", relaxed.longestJobSeconds(), relaxed.aloneJctSeconds()),
            new Line(
                "no schedule is below",
                makespan.anyScheduleSeconds(),
                total.anyScheduleSeconds() / n),
            new Line(
                "none that does not stop jobs is below",
                makespan.lowerBoundSeconds(),
                total.lowerBoundSeconds() / n),
            new Line(
                "best found that does not stop jobs",
                makespan.bestFoundSeconds(),
                total.bestFoundSeconds() / n));
    Durations makespans = Durations.ofColumn(lines.stream().mapToDouble(Line::makespan));
    Durations jcts = Durations.ofColumn(lines.stream().mapToDouble(Line::meanJct));
    Table table = new Table("", "makespan", "mean JCT");
    lines.forEach(
        line -> table.row(line.name(), makespans.with(line.makespan()), jcts.with(line.meanJct())));
    return Prose.wrapped(SummaryTable.headline(inputs))
        + "\n"
        + table.text()
        + "\n"
        + Prose.wrapped("Makespan: " + Proofs.verdict(makespan) + ".")
        + Prose.wrapped("Mean JCT: " + Proofs.verdict(total) + ".");
  }

  /** What one way of reasoning gives, in seconds; NaN for none. */
  private record Line(String name, double makespan, double meanJct) {}

  /** A time, or a dash for none. */
  static String cell(double seconds) {
    return Double.isNaN(seconds) ? "-" : Durations.text(seconds);
  }
}
