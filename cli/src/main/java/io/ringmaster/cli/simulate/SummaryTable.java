package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.runs.CompletedRun;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.Summary;
import java.util.Locale;

/** One run's figures for a person. */
final class SummaryTable {
  private SummaryTable() {}

  static String of(CompletedRun done) {
    Summary s = done.summary();
    Table table = new Table(s.policy(), "");
    table.row("jobs finished", String.format(Locale.ROOT, "%,d", s.finished()));
    table.row("mean JCT", Durations.text(s.jctMeanSeconds()));
    table.row("  median", Durations.text(s.jctP50Seconds()));
    table.row("  95th percentile", Durations.text(s.jctP95Seconds()));
    table.row("  99th percentile", Durations.text(s.jctP99Seconds()));
    table.row("  no schedule is below", Durations.text(s.lowerBoundJctSeconds()));
    table.row("mean wait", Durations.text(s.waitMeanSeconds()));
    table.row("makespan", Durations.text(s.makespanSeconds()));
    table.row("  no schedule is below", Durations.text(s.lowerBoundMakespanSeconds()));
    table.row("GPUs in use", percent(s.gpuUtilization()));
    table.row("mean slowdown", String.format(Locale.ROOT, "%.3f", s.slowdownMean()));
    table.row("restarts", String.format(Locale.ROOT, "%,d", s.restarts()));
    table.row("GPU time lost to them", percent(1 - s.goodput()));
    table.row("energy of GPUs", String.format(Locale.ROOT, "%,.1f kWh", s.energyKwh()));
    done.result()
        .notes()
        .forEach((name, value) -> {
          if (value instanceof Number number) {
            table.row(name.replace('_', ' '), shown(number));
          }
        });
    return headline(done.inputs()) + "\n\n" + table.text();
  }

  static String headline(RunInputs inputs) {
    return String.format(
        Locale.ROOT,
        "%,d job%s submitted over %s, on %s: %,d server%s, %,d GPU%s, network %s",
        inputs.jobs().size(),
        plural(inputs.jobs().size()),
        Durations.text(
            inputs.jobs().submitSeconds(inputs.jobs().size() - 1) - inputs.jobs().submitSeconds(0)),
        inputs.cluster().name(),
        inputs.cluster().size(),
        plural(inputs.cluster().size()),
        inputs.cluster().totalGpus(),
        plural(inputs.cluster().totalGpus()),
        inputs.cluster().network().word());
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
