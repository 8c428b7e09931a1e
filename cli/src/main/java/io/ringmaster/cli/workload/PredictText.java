package io.ringmaster.cli.workload;

import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;

import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.length.Accuracy;
import io.ringmaster.predictor.length.Method;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** How well lengths were predicted, for a person. */
final class PredictText {
  private PredictText() {}

  static String of(PredictReport report, int columns) {
    Table table =
        new Table(
                "method",
                "mean off by, " + report.unit(),
                "median off by",
                "mean |ln ratio|",
                "R2 of ln",
                "within 2x")
            .optional("R2 of ln", "mean |ln ratio|");
    for (Map.Entry<Method, Accuracy> each : report.predictions().accuracy().entrySet()) {
      Accuracy accuracy = each.getValue();
      table.row(
          each.getKey().text(),
          length(accuracy.meanAbsolute()),
          percent(accuracy.medianRelative()),
          number(accuracy.meanLogRatio()),
          decimals(accuracy.logR2()),
          percent(accuracy.withinTwofold()));
    }
    String headline =
        String.format(
            Locale.ROOT,
            "%,d jobs: learnt from %,d of the first %,d, which had ended; predicted the %,d after"
                + " them, in %s",
            report.jobs(),
            report.learnt(),
            report.first(),
            report.jobs() - report.first(),
            report.seconds() ? "seconds" : "iterations");
    String trees =
        String.format(
            Locale.ROOT,
            "%,d trees with %,d nodes. Intervals for %s of the lengths hold %s of them.",
            report.forest().trees(),
            report.forest().nodes(),
            percent(report.intervalShare()),
            percent(report.predictions().covered()));
    return Prose.wrapped(headline)
        + "\n"
        + table.text(columns)
        + "\n"
        + Prose.wrapped(trees)
        + Prose.wrapped("Verdict: " + verdict(report.predictions().accuracy()));
  }

  /** By the mean ratio of the longer to the shorter: what an order of jobs depends on. */
  private static String verdict(Map<Method, Accuracy> accuracy) {
    Accuracy forest = Objects.requireNonNull(accuracy.get(Method.FOREST));
    Map.Entry<Method, Accuracy> other =
        accuracy.entrySet().stream()
            .filter(each -> each.getKey() != Method.FOREST)
            .min(Comparator.comparingDouble(each -> each.getValue().meanLogRatio()))
            .orElseThrow();
    boolean better = forest.meanLogRatio() < other.getValue().meanLogRatio();
    return String.format(
        Locale.ROOT,
        "the forest %s; it is off by a factor of %.1f in the geometric mean, the best simpler"
            + " method (%s) by %.1f. It is within a factor of 2 for %s of the jobs.",
        better ? "is worth its trees" : "is no better than a simpler method here",
        Math.exp(forest.meanLogRatio()),
        other.getKey().text(),
        Math.exp(other.getValue().meanLogRatio()),
        percent(forest.withinTwofold()));
  }

  private static String length(double value) {
    return value < 1000 ? number(value) : String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String decimals(double value) {
    return Double.isNaN(value) ? FitFigures.UNKNOWN : String.format(Locale.ROOT, "%.3f", value);
  }
}
