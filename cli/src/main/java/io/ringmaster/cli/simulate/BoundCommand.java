package io.ringmaster.cli.simulate;

import io.ringmaster.bounds.BestSchedule;
import io.ringmaster.bounds.Bound;
import io.ringmaster.bounds.Objective;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.WorkloadFiles;
import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.model.BadInput;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.runs.Version;
import io.ringmaster.simulator.LowerBounds;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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
    return ExitStatus.OK;
  }

  static void check(double seconds, String option) {
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      throw new BadInput(
          "%s: expected a number above 0 and up to %.0f".formatted(option, MOST_SECONDS));
    }
  }

  /** Both searches. */
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
    Map<String, Object> document(int jobs) {
      Map<String, Object> out = new LinkedHashMap<>();
      out.put("makespan", figures(makespan, 1));
      out.put("mean_jct", figures(total, jobs));
      out.put("seconds", seconds);
      return out;
    }

    static Map<String, Object> figures(Bound bound, double divisor) {
      Map<String, Object> out = new LinkedHashMap<>();
      out.put("any_schedule_s", bound.anyScheduleSeconds() / divisor);
      out.put("no_preemption_s", bound.lowerBoundSeconds() / divisor);
      if (!Double.isNaN(bound.bestFoundSeconds())) {
        out.put("best_found_s", bound.bestFoundSeconds() / divisor);
      }
      out.put("status", bound.status().text());
      out.put("model", bound.model().text());
      return out;
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

  private static Map<String, Object> document(
      RunInputs inputs, LowerBounds relaxed, Proofs proofs) {
    Map<String, Object> makespan = new LinkedHashMap<>();
    makespan.put("area_s", relaxed.areaSeconds());
    makespan.put("longest_job_s", relaxed.longestJobSeconds());
    makespan.putAll(Proofs.figures(proofs.makespan(), 1));
    Map<String, Object> total = new LinkedHashMap<>(Proofs.figures(proofs.total(), 1));
    Map<String, Object> mean = Proofs.figures(proofs.total(), inputs.jobs().size());
    mean.remove("status");
    mean.remove("model");
    total.put("mean_jct", mean);
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("makespan", makespan);
    out.put("total_completion", total);
    out.put("jobs", inputs.jobs().size());
    out.put("gpus", inputs.cluster().totalGpus());
    out.put("cluster", inputs.cluster().name());
    out.put("seconds", proofs.seconds());
    out.put("version", Version.text());
    out.put("inputs", inputs.provenance());
    return out;
  }

  private static String table(RunInputs inputs, LowerBounds relaxed, Proofs proofs) {
    int n = inputs.jobs().size();
    Table table = new Table("", "makespan", "mean JCT");
    row(table, "all work on all GPUs", relaxed.areaSeconds(), relaxed.oneMachineJctSeconds());
    row(table, "each job alone", relaxed.longestJobSeconds(), relaxed.aloneJctSeconds());
    row(
        table,
        "no schedule is below",
        proofs.makespan().anyScheduleSeconds(),
        proofs.total().anyScheduleSeconds() / n);
    row(
        table,
        "none that does not stop jobs is below",
        proofs.makespan().lowerBoundSeconds(),
        proofs.total().lowerBoundSeconds() / n);
    row(
        table,
        "best found that does not stop jobs",
        proofs.makespan().bestFoundSeconds(),
        proofs.total().bestFoundSeconds() / n);
    return SummaryTable.headline(inputs)
        + "\n\n"
        + table.text()
        + "\nMakespan: "
        + Proofs.verdict(proofs.makespan())
        + ".\nMean JCT: "
        + Proofs.verdict(proofs.total())
        + ".\n";
  }

  private static void row(Table table, String name, double makespan, double meanJct) {
    table.row(name, cell(makespan), cell(meanJct));
  }

  /** A time, or a dash for none. */
  static String cell(double seconds) {
    return Double.isNaN(seconds) ? "-" : Durations.text(seconds);
  }
}
