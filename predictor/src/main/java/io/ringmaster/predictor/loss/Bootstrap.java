package io.ringmaster.predictor.loss;

import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.regression.Tails;
import java.util.Arrays;
import java.util.SplittableRandom;

/** How far remaining epochs may be off, by fits to made-up histories. */
final class Bootstrap {
  private static final int DRAWS = 200;
  private static final long SEED = 20_180_423;

  /** A coarser search than that of the fit: the spread needs fewer digits. */
  private static final int GRID = 16;

  private static final int GOLDEN_STEPS = 10;
  private static final double TAIL = 0.025;
  static final int PARAMETERS = 3;
  private static final double NORMAL95 = 1.959963984540054;

  private Bootstrap() {}

  static Estimate remaining(Losses losses, LossCurve curve, double value, Convergence convergence) {
    int n = losses.size;
    double[] fitted = new double[n];
    double[] off = new double[n];
    double larger = larger(LossFit.weights(losses));
    for (int i = 0; i < n; i++) {
      fitted[i] = curve.at(losses.epoch[i]);
      off[i] = (losses.loss[i] - fitted[i]) * larger;
    }
    SplittableRandom random = new SplittableRandom(SEED);
    double[] drawn = new double[DRAWS];
    for (int d = 0; d < DRAWS; d++) {
      double[] made = new double[n];
      for (int i = 0; i < n; i++) {
        made[i] = Math.max(0, fitted[i] + (random.nextBoolean() ? off[i] : -off[i]));
      }
      LossFit fit = LossFit.of(losses.withLosses(made), GRID, GOLDEN_STEPS);
      drawn[d] = fit.forecast(convergence).remainingEpochs();
    }
    Arrays.sort(drawn);
    double mean = Arrays.stream(drawn).sum() / DRAWS;
    double squares = Arrays.stream(drawn).map(x -> (x - mean) * (x - mean)).sum();
    return new Estimate(
        value,
        StrictMath.sqrt(squares / (DRAWS - 1)),
        Math.min(value, quantile(drawn, TAIL)),
        Math.max(value, quantile(drawn, 1 - TAIL)));
  }

  /**
   * The curve was fitted to these very points, which makes their errors smaller than those of
   * others: by three parameters out of as many points as the weighted ones are worth. And of few
   * errors the spread is known badly (Student).
   */
  private static double larger(double[] weights) {
    double sum = 0;
    double squares = 0;
    for (double weight : weights) {
      sum += weight;
      squares += weight * weight;
    }
    double worth = sum * sum / squares;
    double freedom = Math.max(1, worth - PARAMETERS);
    int few = Math.max(1, weights.length - PARAMETERS);
    return StrictMath.sqrt(worth / freedom) * Tails.student95(few) / NORMAL95;
  }

  private static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
