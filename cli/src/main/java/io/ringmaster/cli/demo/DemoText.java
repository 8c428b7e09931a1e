package io.ringmaster.cli.demo;

import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import java.util.List;
import java.util.Locale;

/** How the demo went, as a person reads it. */
final class DemoText {
  private DemoText() {}

  static String measured(Measured measured) {
    return String.format(
        Locale.ROOT,
        "a start takes %.1f s, a stop %.1f s, an iteration with %d workers %.1f ms",
        measured.startSeconds(),
        measured.stopSeconds(),
        measured.workers(),
        1000 * measured.stepSeconds());
  }

  static String jobs(List<DemoJob> jobs, Outcome real, Outcome predicted) {
    Table table = new Table("job", "submitted", "predicted", "measured", "error");
    for (int i = 0; i < jobs.size(); i++) {
      double said = predicted.jctSeconds().get(i);
      double was = real.jctSeconds().get(i);
      table.row(
          jobs.get(i).name(),
          seconds(jobs.get(i).submitSeconds()),
          seconds(said),
          seconds(was),
          String.format(Locale.ROOT, "%+.0f %%", 100 * (said / was - 1)));
    }
    return table.text();
  }

  static String policies(Outcome real, List<Outcome> simulated) {
    Table table = new Table("", "policy", "mean completion", "last job done", "restarts");
    table.left("policy");
    row(table, "measured here", real);
    simulated.forEach(outcome -> row(table, "simulated", outcome));
    return table.text();
  }

  private static void row(Table table, String where, Outcome outcome) {
    table.row(
        where,
        outcome.how(),
        seconds(outcome.meanSeconds()),
        seconds(outcome.makespanSeconds()),
        Long.toString(outcome.restarts()));
  }

  static String verdict(Outcome real, Outcome predicted, Measured measured) {
    String verdict =
        String.format(
            Locale.ROOT,
            "The simulator was %.1f %% off in the mean over the jobs, and %+.1f %% for their mean"
                + " completion.",
            100 * predicted.errorAgainst(real),
            100 * (predicted.meanSeconds() / real.meanSeconds() - 1));
    return real.restarts() == 0
        ? Prose.wrapped(verdict)
        : Prose.wrapped(verdict)
            + String.format(
                Locale.ROOT,
                "A restart cost %.1f s in the mean; %.1f s were expected.%n",
                real.restartSeconds() / real.restarts(),
                measured.startSeconds() + measured.stopSeconds());
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
