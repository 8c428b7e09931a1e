package io.ringmaster.cli.fit;

import io.ringmaster.cli.chart.Chart;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.experiments.Plot;
import io.ringmaster.predictor.loss.Convergence;
import io.ringmaster.predictor.loss.LossAnalysis;
import io.ringmaster.predictor.loss.LossBacktest;
import io.ringmaster.predictor.loss.LossCurve;
import io.ringmaster.predictor.loss.LossPoint;
import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.runs.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What losses say of one job, as a document and as a picture. */
record LossReport(String job, LossAnalysis analysis) {
  private static final int MOST_MARKERS = 150;
  private static final int CURVE_STEPS = 200;

  /** What {@code --json} prints and fit.json holds. */
  static Map<String, Object> document(
      List<LossReport> reports, Convergence convergence, List<Map<String, Object>> inputs) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("model", "l(k) = 1 / (b0 k + b1) + b2");
    switch (convergence.goal()) {
      case Convergence.Goal.Flat(int window, double tolerance) -> {
        out.put("window_epochs", window);
        out.put("tolerance", tolerance);
      }
      case Convergence.Goal.Target(double loss) -> out.put("target_loss", loss);
    }
    out.put("most_epochs", convergence.mostEpochs());
    out.put("jobs", reports.stream().map(LossReport::document).toList());
    out.put("version", Version.text());
    out.put("inputs", inputs);
    return out;
  }

  private Map<String, Object> document() {
    LossCurve curve = analysis.fit().curve();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("job", job);
    out.put("points", analysis.points().size());
    out.put("epochs_done", analysis.fit().epochsDone());
    out.put("greatest_loss", analysis.fit().greatestLoss());
    FitFigures.put(out, "b0", curve == null ? Double.NaN : curve.b0());
    FitFigures.put(out, "b1", curve == null ? Double.NaN : curve.b1());
    FitFigures.put(out, "b2", curve == null ? Double.NaN : curve.b2());
    FitFigures.put(out, "relative_rmse", analysis.fit().relativeRmse());
    out.put("fitted", analysis.forecast().fitted());
    FitFigures.put(
        out, "convergence_epoch", analysis.fit().convergenceEpoch(analysis.convergence().goal()));
    out.put("total_epochs", analysis.forecast().totalEpochs());
    FitFigures.put(out, "remaining_epochs", analysis.remaining());
    out.put("backtest", analysis.backtests().stream().map(LossReport::backtest).toList());
    out.put("warnings", analysis.warnings());
    return out;
  }

  private static Map<String, Object> backtest(LossBacktest test) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("share", test.share());
    out.put("points", test.points());
    out.put("epochs_done", test.forecast().epochsDone());
    out.put("fitted", test.forecast().fitted());
    out.put("total_epochs", test.forecast().totalEpochs());
    FitFigures.put(out, "remaining_epochs", test.remaining());
    return out;
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
