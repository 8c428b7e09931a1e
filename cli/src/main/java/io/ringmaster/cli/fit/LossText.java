package io.ringmaster.cli.fit;

import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.predictor.loss.Convergence;
import io.ringmaster.predictor.loss.LossAnalysis;
import io.ringmaster.predictor.loss.LossBacktest;
import io.ringmaster.predictor.loss.LossCurve;
import io.ringmaster.predictor.loss.LossForecast;
import io.ringmaster.predictor.regression.Estimate;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What losses say, for a person. */
final class LossText {
  private LossText() {}

  static String of(List<LossReport> reports) {
    return reports.stream().map(LossText::one).collect(Collectors.joining("\n"));
  }

  private static String one(LossReport report) {
    LossAnalysis analysis = report.analysis();
    return headline(report)
        + "\n\n"
        + parameters(analysis)
        + goal(analysis)
        + "\n"
        + backtests(analysis)
        + "\n"
        + FitFigures.warnings(analysis.warnings(), "curve");
  }

  private static String headline(LossReport report) {
    int points = report.analysis().points().size();
    return String.format(
        Locale.ROOT,
        "%s: %,d loss%s, %s epochs done",
        report.job(),
        points,
        points == 1 ? "" : "es",
        epochs(report.analysis().fit().epochsDone()));
  }

  private static String parameters(LossAnalysis analysis) {
    LossCurve curve = analysis.fit().curve();
    if (curve == null) {
      return "";
    }
    Table table = new Table("l(k) = 1 / (b0 k + b1) + b2", "value");
    table.row("b0", FitFigures.number(curve.b0()));
    table.row("b1", FitFigures.number(curve.b1()));
    table.row("b2", FitFigures.number(curve.b2()));
    return table.text()
        + String.format(
            Locale.ROOT,
            "\nLosses are off the curve by %s of the greatest, %s (root mean square).\n",
            FitFigures.percent(analysis.fit().relativeRmse()),
            FitFigures.number(analysis.fit().greatestLoss()));
  }

  private static String goal(LossAnalysis analysis) {
    String rule =
        switch (analysis.convergence().goal()) {
          case Convergence.Goal.Flat(int window, double tolerance) ->
              "the loss falls by at most %s of the greatest in %d epochs"
                  .formatted(FitFigures.percent(tolerance), window);
          case Convergence.Goal.Target(double loss) -> "the loss is " + FitFigures.number(loss);
        };
    LossForecast forecast = analysis.forecast();
    Estimate remaining = analysis.remaining();
    return Prose.wrapped(
        "Done when %s: after %s epochs, %s more (95 %%: %s to %s)."
            .formatted(
                rule,
                epochs(forecast.totalEpochs()),
                epochs(forecast.remainingEpochs()),
                epochs(remaining.low()),
                epochs(remaining.high())));
  }

  private static String backtests(LossAnalysis analysis) {
    Table table =
        new Table(
            "known", "losses", "epochs done", "expected in all", "95 % from", "to", "against now");
    for (LossBacktest test : analysis.backtests()) {
      row(
          table,
          "%d %%".formatted(Math.round(100 * test.share())),
          test.points(),
          test.forecast(),
          test.remaining(),
          analysis.forecast().totalEpochs());
    }
    row(
        table,
        "all",
        analysis.points().size(),
        analysis.forecast(),
        analysis.remaining(),
        analysis.forecast().totalEpochs());
    boolean guess =
        !analysis.forecast().fitted()
            || analysis.backtests().stream().anyMatch(t -> !t.forecast().fitted());
    return table.text() + (guess ? "* a guess: no curve\n" : "");
  }

  private static void row(
      Table table,
      String known,
      int points,
      LossForecast forecast,
      Estimate remaining,
      double now) {
    double done = forecast.epochsDone();
    double off = forecast.totalEpochs() - now;
    table.row(
        known,
        String.valueOf(points),
        epochs(done),
        epochs(forecast.totalEpochs()) + (forecast.fitted() ? "" : " *"),
        epochs(done + remaining.low()),
        epochs(done + remaining.high()),
        known.equals("all") ? "" : (off > 0 ? "+" : "") + epochs(off));
  }

  /** Whole, or with a digit if it is not. */
  private static String epochs(double value) {
    double rounded = Math.rint(10 * value) / 10 + 0.0;
    return String.format(Locale.ROOT, rounded == Math.rint(rounded) ? "%,.0f" : "%,.1f", rounded);
  }
}
