package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Past;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.Summary;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** One run's figures for a person. */
final class SummaryTable {
  private SummaryTable() {}

  static String of(CompletedRun done) {
    Summary s = done.summary();
    Optional<Past> past = Past.of(done.inputs().jobs());
    Durations jct = Durations.fitting(s.jctMeanSeconds());
    Durations wait = Durations.fitting(s.waitMeanSeconds());
    Durations makespan = Durations.fitting(s.makespanSeconds());
    Rows rows = new Rows(s.policy(), past);
    rows.add("lengths", done.run().lengths().word());
    rows.add("jobs finished", String.format(Locale.ROOT, "%,d", s.finished()));
    rows.add("mean JCT", jct, s.jctMeanSeconds(), Past::jctMeanSeconds);
    rows.add("  median", jct, s.jctP50Seconds(), Past::jctP50Seconds);
    rows.add("  95th percentile", jct, s.jctP95Seconds(), Past::jctP95Seconds);
    rows.add("  99th percentile", jct, s.jctP99Seconds(), Past::jctP99Seconds);
    rows.add("  no schedule is below", jct.with(s.lowerBoundJctSeconds()));
    rows.add("mean wait", wait, s.waitMeanSeconds(), Past::waitMeanSeconds);
    rows.add("makespan", makespan.with(s.makespanSeconds()));
    rows.add("  no schedule is below", makespan.with(s.lowerBoundMakespanSeconds()));
    rows.add("GPUs in use", percent(s.gpuUtilization()));
    rows.add("mean slowdown", String.format(Locale.ROOT, "%.3f", s.slowdownMean()));
    rows.add("restarts", String.format(Locale.ROOT, "%,d", s.restarts()));
    rows.add("GPU time lost to them", percent(1 - s.goodput()));
    if (done.inputs().cluster().mayFail()) {
      rows.add("failures", String.format(Locale.ROOT, "%,d", s.failures()));
      rows.add("effective training time", percent(s.ettr()));
    }
    rows.add("energy of GPUs", String.format(Locale.ROOT, "%,.1f kWh", s.energyKwh()));
    done.result()
        .notes()
        .forEach((name, value) -> {
          if (value instanceof Number number) {
            rows.add(name.replace('_', ' '), shown(number));
          }
        });
    StringBuilder text = new StringBuilder();
    text.append(Prose.wrapped(headline(done.inputs()))).append('\n').append(rows.table.text());
    List<String> caveats = Caveats.of(done.inputs(), List.of(done.run()));
    text.append(caveats.isEmpty() ? "" : "\n");
    caveats.forEach(sentence -> text.append(Prose.wrapped("- ", sentence)));
    return text.toString();
  }

  /** Names and values, and beside them what happened in truth, if anybody knows. */
  private static final class Rows {
    final Table table;
    private final Optional<Past> past;

    Rows(String policy, Optional<Past> past) {
      this.past = past;
      this.table = past.isEmpty() ? new Table(policy, "") : new Table("", policy, "as it happened");
    }

    void add(String name, String value) {
      add(name, value, "");
    }

    void add(String name, Durations unit, double seconds, ToDoubleFunction<Past> happened) {
      add(
          name,
          unit.with(seconds),
          past.map(known -> unit.with(happened.applyAsDouble(known))).orElse(""));
    }

    private void add(String name, String value, String happened) {
      table.row(past.isEmpty() ? List.of(name, value) : List.of(name, value, happened));
    }
  }

  static String headline(RunInputs inputs) {
    return headline(List.of(inputs.jobs()), inputs.cluster());
  }

  /** Of runs on the same cluster; with other seeds they may be of other jobs. */
  static String headline(List<Jobs> draws, Cluster cluster) {
    IntSummaryStatistics jobs = draws.stream().mapToInt(Jobs::size).summaryStatistics();
    DoubleSummaryStatistics spans =
        draws.stream()
            .mapToDouble(drawn -> drawn.submitSeconds(drawn.size() - 1) - drawn.submitSeconds(0))
            .summaryStatistics();
    return String.format(
        Locale.ROOT,
        "%s%s job%s submitted over %s, on %s: %,d server%s, %,d GPU%s, network %s",
        draws.size() == 1 ? "" : draws.size() + " draws of ",
        range("%,d".formatted(jobs.getMin()), "%,d".formatted(jobs.getMax())),
        plural(jobs.getMax()),
        range(Durations.text(spans.getMin()), Durations.text(spans.getMax())),
        cluster.name(),
        cluster.size(),
        plural(cluster.size()),
        cluster.totalGpus(),
        plural(cluster.totalGpus()),
        cluster.network().word());
  }

  private static String range(String least, String most) {
    return least.equals(most) ? least : least + " to " + most;
  }

  private static String shown(Number number) {
    return number instanceof Double value
        ? String.format(Locale.ROOT, "%.4g", value)
        : number.toString();
  }

  private static String plural(int number) {
    return number == 1 ? "" : "s";
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
