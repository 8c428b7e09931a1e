package io.ringmaster.predictor.loss;

import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What would have been expected earlier, from the first part of a history.
 *
 * @param share of the epochs of the history
 * @param points how many points were known by then
 * @param remaining from then on
 */
public record LossBacktest(double share, int points, LossForecast forecast, Estimate remaining) {
  private static final double[] SHARES = {0.1, 0.25, 0.5, 0.75};

  /** At 10, 25, 50 and 75 % of the epochs. */
  static List<LossBacktest> of(List<LossPoint> points, Convergence convergence) {
    double last = points.stream().mapToDouble(LossPoint::epoch).max().orElse(0);
    List<LossPoint> sorted =
        points.stream().sorted(Comparator.comparingDouble(LossPoint::epoch)).toList();
    List<LossBacktest> tests = new ArrayList<>();
    for (double share : SHARES) {
      List<LossPoint> known = sorted.stream().filter(p -> p.epoch() <= share * last).toList();
      if (!known.isEmpty()) {
        LossFit fit = LossFit.of(known);
        tests.add(
            new LossBacktest(
                share, known.size(), fit.forecast(convergence), fit.remaining(convergence)));
      }
    }
    return tests;
  }
}
