package io.ringmaster.predictor.loss;

import io.ringmaster.predictor.regression.Estimate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The curve l(k) = 1 / (b0 k + b1) + b2 through the losses that a job reported, as in Optimus (Peng
 * et al., EuroSys 2018, section 3.1) and the doubling heuristic (Capes et al., arXiv 1908.08082),
 * and when the job will be done by it.
 *
 * <p>What sticks out is smoothed ({@link Losses#withoutOutliers}), losses are divided by the
 * greatest, and b2 is searched for, with b0 and b1 from weighted least squares for each ({@link
 * CurveSearch}). Points of the middle third of the history count 4 times those of the first, those
 * of the last third 16 times: Optimus' code does so.
 *
 * <p>Departures from Optimus' code, which calls a general solver with bounds: the search over b2
 * needs no first guess and always ends; of neighbours that both stick out only one is smoothed;
 * long histories are thinned. Where that code gives up, {@link Convergence#MORE_EPOCHS} more epochs
 * are expected here too: with fewer than three epochs, and if the losses do not fall.
 *
 * <p>The interval of {@link #remaining} is found by refitting to made-up histories: the curve plus
 * the errors of the points, each with a sign by chance (wild bootstrap), from a fixed seed.
 */
public final class LossFit {
  static final int LEAST_POINTS = 3;

  private static final int GRID = 50;
  private static final int GOLDEN_STEPS = 40;
  private static final int LATER_COUNTS = 4;
  private static final int SEGMENTS = 3;

  private final Losses losses;
  private final double greatest;
  private final double least;
  private final @Nullable LossCurve curve;

  private LossFit(Losses losses, double greatest, double least, @Nullable LossCurve curve) {
    this.losses = losses;
    this.greatest = greatest;
    this.least = least;
    this.curve = curve;
  }

  /** Fits points, in any order. */
  public static LossFit of(List<LossPoint> points) {
    return of(Losses.of(points), GRID, GOLDEN_STEPS);
  }

  static LossFit of(Losses losses) {
    return of(losses, GRID, GOLDEN_STEPS);
  }

  static LossFit of(Losses losses, int gridValues, int goldenSteps) {
    double[] clean = losses.withoutOutliers();
    double greatest = Arrays.stream(clean).max().orElse(0);
    double least = Arrays.stream(clean).min().orElse(0);
    if (clean.length < LEAST_POINTS || greatest == 0) {
      return new LossFit(losses, greatest, least, null);
    }
    double last = losses.lastEpoch();
    double[] epoch = new double[clean.length];
    for (int i = 0; i < clean.length; i++) {
      clean[i] /= greatest;
      epoch[i] = losses.epoch[i] / last;
    }
    LossCurve scaled = new CurveSearch(epoch, clean, weights(losses)).best(gridValues, goldenSteps);
    LossCurve curve =
        scaled == null
            ? null
            : new LossCurve(
                scaled.b0() / last / greatest, scaled.b1() / greatest, scaled.b2() * greatest);
    return new LossFit(losses, greatest, least, curve);
  }

  static double[] weights(Losses losses) {
    double total = 0;
    for (int i = 0; i < losses.size; i++) {
      total += losses.count[i];
    }
    double[] weights = new double[losses.size];
    double before = 0;
    for (int i = 0; i < losses.size; i++) {
      int segment = (int) (SEGMENTS * before / total);
      weights[i] = losses.count[i];
      for (int s = 0; s < segment; s++) {
        weights[i] *= LATER_COUNTS;
      }
      before += losses.count[i];
    }
    return weights;
  }

  /** The curve; null for fewer than three epochs, or if every loss is 0. */
  public @Nullable LossCurve curve() {
    return curve;
  }

  /** The greatest loss, outliers apart. */
  public double greatestLoss() {
    return greatest;
  }

  public double epochsDone() {
    return losses.lastEpoch();
  }

  /** Points that the curve goes through, after merging. */
  public int points() {
    return losses.size;
  }

  /** Root mean square of the errors of the points as reported, over the greatest loss. */
  public double relativeRmse() {
    if (curve == null) {
      return Double.NaN;
    }
    double sum = 0;
    for (int i = 0; i < losses.size; i++) {
      double off = (losses.loss[i] - curve.at(losses.epoch[i])) / greatest;
      sum += off * off;
    }
    return StrictMath.sqrt(sum / losses.size);
  }

  /** Whether the losses fall at all, as far as a curve can tell. */
  public boolean falls() {
    return curve != null && curve.b0() > 0;
  }

  /** When the job will be done. Costs nothing. */
  public LossForecast forecast(Convergence convergence) {
    double done = epochsDone();
    if (!says(convergence.goal())) {
      double prior = convergence.priorEpochs();
      boolean few = losses.size < LEAST_POINTS;
      double guess = few && !Double.isNaN(prior) ? prior : done + Convergence.MORE_EPOCHS;
      double total = Math.max(done, Math.min(guess, convergence.mostEpochs()));
      return new LossForecast(done, total, false, false);
    }
    double epoch = epoch(convergence.goal());
    double most = convergence.mostEpochs();
    return new LossForecast(
        done, Math.max(done, Math.min(epoch, most)), true, epoch > Math.max(done, most));
  }

  /**
   * The first whole epoch at which the curve meets the goal, however late or early; NaN without a
   * curve that can tell.
   */
  public double convergenceEpoch(Convergence.Goal goal) {
    return says(goal) ? epoch(goal) : Double.NaN;
  }

  /** Losses that do not fall say nothing, unless they hardly move: then they have converged. */
  private boolean says(Convergence.Goal goal) {
    if (losses.size < LEAST_POINTS) {
      return false;
    }
    return falls()
        || switch (goal) {
          case Convergence.Goal.Flat flat -> greatest - least <= flat.tolerance() * greatest;
          case Convergence.Goal.Target target -> greatest <= target.loss();
        };
  }

  private double epoch(Convergence.Goal goal) {
    LossCurve falling = falls() ? curve : null;
    return switch (goal) {
      case Convergence.Goal.Flat flat ->
          falling == null
              ? flat.windowEpochs()
              : falling.flatFrom(flat.windowEpochs(), flat.tolerance() * greatest);
      case Convergence.Goal.Target target -> falling == null ? 0 : falling.below(target.loss());
    };
  }

  /**
   * How many more epochs the job needs, with a 95 % interval; from 0 to all that is allowed if no
   * curve says so, or one through three points, which has no errors to judge it by. Costs as much
   * as a hundred fits.
   */
  public Estimate remaining(Convergence convergence) {
    LossForecast forecast = forecast(convergence);
    double value = forecast.remainingEpochs();
    if (forecast.fitted() && curve == null) {
      return new Estimate(value, 0, value, value);
    }
    if (!forecast.fitted() || curve == null || losses.size <= Bootstrap.PARAMETERS) {
      double most = Math.max(value, convergence.mostEpochs() - forecast.epochsDone());
      return new Estimate(value, Double.NaN, 0, most);
    }
    return Bootstrap.remaining(losses, curve, value, convergence);
  }
}
