package io.ringmaster.predictor.speed;

import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.regression.LeastSquares;
import io.ringmaster.predictor.regression.Tails;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How sure a fit is, by the delta method: as if log T were linear in the parameters around the
 * solution. Parameters at their bound of 0 are taken to be known for all others.
 */
final class SpeedUncertainty {
  private final List<StepTime> points;
  private final double[] weights;
  private final Terms terms;
  private final LogFit.Solution solution;

  /** Columns of slopes whose parameter is not at its bound; the overlap is beyond the last term. */
  private final List<Integer> active;

  private final double variance;
  private final double quantile;
  private final double @Nullable [][] covariance;

  SpeedUncertainty(List<StepTime> points, double[] weights, Terms terms, LogFit.Solution solution) {
    this.points = points;
    this.weights = weights;
    this.terms = terms;
    this.solution = solution;
    this.active = new ArrayList<>();
    for (int j = 0; j < terms.size(); j++) {
      if (solution.coefficients()[j] > 0) {
        active.add(j);
      }
    }
    if (solution.overlap() > 1 && solution.overlap() < LogFit.MOST_OVERLAP) {
      active.add(terms.size());
    }
    int freedom = points.size() - active.size();
    LeastSquares slopes = freedom > 0 ? slopes(active) : null;
    variance = freedom > 0 ? solution.error() * points.size() / freedom : Double.NaN;
    quantile = freedom > 0 ? Tails.student95(freedom) : Double.NaN;
    covariance = slopes == null ? null : slopes.covariance(variance);
  }

  private @Nullable LeastSquares slopes(List<Integer> columns) {
    double[][] rows = new double[points.size()][];
    for (int i = 0; i < rows.length; i++) {
      double weight = Math.sqrt(weights[i]);
      rows[i] = Arrays.stream(slopes(points.get(i), columns)).map(x -> weight * x).toArray();
    }
    return LeastSquares.of(rows, new double[rows.length]);
  }

  private double[] slopes(StepTime point, List<Integer> columns) {
    double[] all =
        LogFit.slopes(
            terms.row(point), terms.computing(), solution.coefficients(), solution.overlap());
    return columns.stream().mapToDouble(j -> all[j]).toArray();
  }

  Map<SpeedParameter, Estimate> parameters() {
    Map<SpeedParameter, Estimate> parameters = new EnumMap<>(SpeedParameter.class);
    for (int j = 0; j < terms.size(); j++) {
      Estimate estimate = parameter(j, solution.coefficients()[j], 0);
      terms.terms().get(j).forEach(p -> parameters.put(p, estimate));
    }
    if (terms.tellsOverlap()) {
      parameters.put(SpeedParameter.OVERLAP, parameter(terms.size(), solution.overlap(), 1));
    }
    return parameters;
  }

  /** A parameter; of one at its bound, how far above it may be. */
  private Estimate parameter(int column, double value, double bound) {
    int at = active.indexOf(column);
    double[][] known = covariance;
    if (at < 0 && points.size() > active.size() + 1) {
      List<Integer> more = new ArrayList<>(active);
      more.add(column);
      LeastSquares slopes = slopes(more);
      known = slopes == null ? null : slopes.covariance(variance);
      at = active.size();
    }
    if (at < 0 || known == null) {
      return new Estimate(value, Double.NaN, Double.NaN, Double.NaN);
    }
    double error = Math.sqrt(known[at][at]);
    double half = quantile * error;
    return new Estimate(value, error, Math.max(bound, value - half), value + half);
  }

  /** A time with its interval, the fitted one given. */
  Estimate estimate(StepTime fitted) {
    double[][] known = covariance;
    if (known == null || !measuredLike(fitted)) {
      return new Estimate(fitted.seconds(), Double.NaN, Double.NaN, Double.NaN);
    }
    double[] slopes = slopes(fitted, active);
    double square = variance;
    for (int j = 0; j < slopes.length; j++) {
      square += slopes[j] * LeastSquares.dot(slopes, known[j]);
    }
    double error = Math.sqrt(square);
    double factor = StrictMath.exp(quantile * error);
    double seconds = fitted.seconds();
    return new Estimate(seconds, seconds * error, seconds / factor, seconds * factor);
  }

  /** Whether anything was measured inside a server, across servers, or with one worker, as here. */
  private boolean measuredLike(StepTime time) {
    return time.workers() == 1
        || points.stream()
            .filter(p -> p.workers() > 1)
            .anyMatch(p -> p.crossesServers() == time.crossesServers());
  }
}
