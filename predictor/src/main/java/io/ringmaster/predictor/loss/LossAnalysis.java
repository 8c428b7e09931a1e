package io.ringmaster.predictor.loss;

import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * All that a history of losses says: the fit, what is expected and would have been, and what to
 * doubt.
 *
 * @param points by epoch
 */
public record LossAnalysis(
    List<LossPoint> points,
    Convergence convergence,
    LossFit fit,
    LossForecast forecast,
    Estimate remaining,
    List<LossBacktest> backtests,
    List<String> warnings) {
  private static final int FEW_POINTS = 10;
  private static final double BAD_FIT = 0.05;
  private static final double LARGE_RISE = 0.1;
  private static final int LEAST_AFTER_LOWEST = 3;

  public static LossAnalysis of(List<LossPoint> points, Convergence convergence) {
    List<LossPoint> sorted =
        points.stream().sorted(Comparator.comparingDouble(LossPoint::epoch)).toList();
    LossFit fit = LossFit.of(sorted);
    LossForecast forecast = fit.forecast(convergence);
    Estimate remaining = fit.remaining(convergence);
    List<LossBacktest> backtests = LossBacktest.of(sorted, convergence);
    return new LossAnalysis(
        sorted,
        convergence,
        fit,
        forecast,
        remaining,
        backtests,
        warnings(sorted, convergence, fit, forecast, backtests));
  }

  private static List<String> warnings(
      List<LossPoint> points,
      Convergence convergence,
      LossFit fit,
      LossForecast forecast,
      List<LossBacktest> backtests) {
    List<String> out = new ArrayList<>();
    if (fit.points() < LossFit.LEAST_POINTS) {
      out.add(
          "too few points for a curve: %d more epochs are a guess"
              .formatted(Math.round(forecast.remainingEpochs())));
      return out;
    }
    if (!forecast.fitted()) {
      out.add(
          "the loss does not fall: %d more epochs are a guess"
              .formatted(Math.round(forecast.remainingEpochs())));
      return out;
    }
    if (fit.points() < FEW_POINTS) {
      out.add("only %d epochs are known: expect the forecast to move".formatted(fit.points()));
    }
    if (forecast.epochsDone() > convergence.mostEpochs()) {
      out.add(
          "more epochs are done, %d, than the most, %d: are these epochs?"
              .formatted(Math.round(forecast.epochsDone()), convergence.mostEpochs()));
    }
    if (forecast.clamped()) {
      out.add(notConverging(convergence, fit));
    }
    rises(points, fit, out);
    if (fit.relativeRmse() > BAD_FIT) {
      out.add(
          String.format(
              Locale.ROOT,
              "the points are off the curve by %.1f %% of the greatest loss: is it of this shape?",
              100 * fit.relativeRmse()));
    }
    moves(forecast, backtests, out);
    return out;
  }

  private static String notConverging(Convergence convergence, LossFit fit) {
    double epoch = fit.convergenceEpoch(convergence.goal());
    String when =
        epoch == Double.POSITIVE_INFINITY
            ? "never gets there"
            : "gets there after %d epochs".formatted((long) epoch);
    return "not converging: the curve %s, which is cut to the most, %d"
        .formatted(when, convergence.mostEpochs());
  }

  /** Whether the points after the lowest, at the median, are far above it. */
  private static void rises(List<LossPoint> points, LossFit fit, List<String> out) {
    int lowest = 0;
    for (int i = 1; i < points.size(); i++) {
      lowest = points.get(i).loss() < points.get(lowest).loss() ? i : lowest;
    }
    double[] after =
        points.subList(lowest + 1, points.size()).stream()
            .mapToDouble(LossPoint::loss)
            .sorted()
            .toArray();
    double low = points.get(lowest).loss();
    if (after.length >= LEAST_AFTER_LOWEST
        && after[after.length / 2] - low > LARGE_RISE * (fit.greatestLoss() - low)) {
      out.add(
          String.format(
              Locale.ROOT,
              "the loss has risen again from its lowest, %.4g, to %.4g: the curve only falls",
              low,
              after[after.length / 2]));
    }
  }

  /** A forecast from half the history that was far off does not speak for that of all. */
  private static void moves(LossForecast forecast, List<LossBacktest> backtests, List<String> out) {
    for (LossBacktest test : backtests) {
      double then = test.forecast().totalEpochs();
      double now = forecast.totalEpochs();
      if (test.share() == 0.5 && test.forecast().fitted() && Math.abs(then - now) > now / 4) {
        out.add(
            "the forecast still moves: at half of the history it was %d epochs in all, now %d"
                .formatted(Math.round(then), Math.round(now)));
      }
    }
  }
}
