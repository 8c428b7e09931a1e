package io.ringmaster.cli.fit;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.FitFigures.Interval;
import io.ringmaster.experiments.Plot;
import io.ringmaster.predictor.loss.Convergence;
import io.ringmaster.predictor.loss.LossAnalysis;
import io.ringmaster.predictor.loss.LossBacktest;
import io.ringmaster.predictor.loss.LossCurve;
import io.ringmaster.predictor.loss.LossPoint;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.runs.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What losses say of one job, as a document and as a picture. */
record LossReport(String job, LossAnalysis analysis) {
  private static final int MOST_MARKERS = 150;
  private static final int CURVE_STEPS = 200;

  /** What {@code --json} prints and fit.json holds. */
  private record Document(
      String model,
      Optional<Integer> windowEpochs,
      Optional<Double> tolerance,
      Optional<Double> targetLoss,
      double mostEpochs,
      List<JobDocument> jobs,
      String version,
      List<FitFigures.InputFile> inputs) {}

  private record JobDocument(
      String job,
      int points,
      double epochsDone,
      double greatestLoss,
      double b0,
      double b1,
      double b2,
      double relativeRmse,
      boolean fitted,
      double convergenceEpoch,
      double totalEpochs,
      @Nullable Interval remainingEpochs,
      List<Backtest> backtest,
      List<String> warnings) {}

  private record Backtest(
      double share,
      int points,
      double epochsDone,
      boolean fitted,
      double totalEpochs,
      @Nullable Interval remainingEpochs) {}

  static Record document(
      List<LossReport> reports, Convergence convergence, List<FitFigures.InputFile> inputs) {
    Convergence.Goal goal = convergence.goal();
    Optional<Convergence.Goal.Flat> flat =
        goal instanceof Convergence.Goal.Flat f ? Optional.of(f) : Optional.empty();
    return new Document(
        "l(k) = 1 / (b0 k + b1) + b2",
        flat.map(Convergence.Goal.Flat::windowEpochs),
        flat.map(Convergence.Goal.Flat::tolerance),
        goal instanceof Convergence.Goal.Target(double loss) ? Optional.of(loss) : Optional.empty(),
        convergence.mostEpochs(),
        reports.stream().map(LossReport::document).toList(),
        Version.text(),
        inputs);
  }

  private JobDocument document() {
    LossCurve curve = analysis.fit().curve();
    return new JobDocument(
        job,
        analysis.points().size(),
        analysis.fit().epochsDone(),
        analysis.fit().greatestLoss(),
        curve == null ? Double.NaN : curve.b0(),
        curve == null ? Double.NaN : curve.b1(),
        curve == null ? Double.NaN : curve.b2(),
        analysis.fit().relativeRmse(),
        analysis.forecast().fitted(),
        analysis.fit().convergenceEpoch(analysis.convergence().goal()),
        analysis.forecast().totalEpochs(),
        Interval.of(analysis.remaining()),
        analysis.backtests().stream().map(LossReport::backtest).toList(),
        analysis.warnings());
  }

  private static Backtest backtest(LossBacktest test) {
    return new Backtest(
        test.share(),
        test.points(),
        test.forecast().epochsDone(),
        test.forecast().fitted(),
        test.forecast().totalEpochs(),
        Interval.of(test.remaining()));
  }

  /** The points, the curve up to where it is expected to end, and how sure that end is. */
  String plot() {
    Chart chart = new Chart("Loss of " + job + ", and when it is done", "epochs", "loss");
    chart.scatter("reported", reported());
    LossCurve curve = analysis.fit().curve();
    double done = analysis.fit().epochsDone();
    double total = analysis.forecast().totalEpochs();
    if (curve != null && analysis.fit().falls()) {
      double end = Math.max(done, total);
      chart.curve("1 / (b0 k + b1) + b2", curve(curve, analysis.points().getFirst().epoch(), end));
    }
    double height = analysis.fit().greatestLoss();
    chart.curve(
        "done: %d epochs".formatted(Math.round(total)),
        List.of(new Plot.Point(total, 0, 0), new Plot.Point(total, height, 0)));
    Estimate remaining = analysis.remaining();
    if (remaining.high() > remaining.low()) {
      double low = done + remaining.low();
      double high = done + remaining.high();
      double level = curve == null ? height / 2 : Math.min(height, 2 * curve.at(total)) / 2;
      chart.dashed(
          "95 %%: %d to %d".formatted(Math.round(low), Math.round(high)),
          List.of(new Plot.Point(low, level, 0), new Plot.Point(high, level, 0)));
    }
    return chart.fromZero().svg();
  }

  private List<Plot.Point> reported() {
    List<LossPoint> points = analysis.points();
    int step = (points.size() + MOST_MARKERS - 1) / MOST_MARKERS;
    List<Plot.Point> out = new ArrayList<>();
    for (int i = 0; i < points.size(); i += step) {
      out.add(new Plot.Point(points.get(i).epoch(), points.get(i).loss(), 0));
    }
    return out;
  }

  private static List<Plot.Point> curve(LossCurve curve, double from, double to) {
    List<Plot.Point> out = new ArrayList<>();
    for (int i = 0; i <= CURVE_STEPS; i++) {
      double epoch = from + (to - from) * i / CURVE_STEPS;
      out.add(new Plot.Point(epoch, curve.at(epoch), 0));
    }
    return out;
  }
}
