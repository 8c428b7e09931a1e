package io.ringmaster.cli.workload;

import static io.ringmaster.cli.terminal.FitFigures.number;
import static io.ringmaster.cli.terminal.FitFigures.percent;

import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.length.Accuracy;
import io.ringmaster.predictor.length.Method;
import java.util.Locale;
import java.util.Map;

/** How well lengths were predicted, for a person. */
final class PredictText {
  private PredictText() {}

  static String of(PredictReport report) {
    Table table =
        new Table(
            "method",
            "mean off by, " + report.unit(),
            "median off by",
            "mean |ln ratio|",
            "R2 of ln",
            "within 2x");
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
    return String.format(
            Locale.ROOT,
            "%,d jobs: learnt from %,d of the first %,d, which had ended; predicted the %,d after"
                + " them, in %s%n%n",
            report.jobs(),
            report.learnt(),
            report.first(),
            report.jobs() - report.first(),
            report.seconds() ? "seconds" : "iterations")
        + table.text()
        + String.format(
            Locale.ROOT,
            "%n%,d trees with %,d nodes. Intervals for %s of the lengths hold %s of them.%n",
            report.forest().trees(),
            report.forest().nodes(),
            percent(report.intervalShare()),
            percent(report.predictions().covered()));
  }

  private static String length(double value) {
    return value < 1000 ? number(value) : String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String decimals(double value) {
    return Double.isNaN(value) ? FitFigures.UNKNOWN : String.format(Locale.ROOT, "%.3f", value);
  }
}
