package io.ringmaster.predictor.speed;

import static io.ringmaster.predictor.speed.SpeedParameter.ACROSS_SHARE;
import static io.ringmaster.predictor.speed.SpeedParameter.ACROSS_STEP;
import static io.ringmaster.predictor.speed.SpeedParameter.COMPUTE;
import static io.ringmaster.predictor.speed.SpeedParameter.INSIDE_SHARE;
import static io.ringmaster.predictor.speed.SpeedParameter.INSIDE_STEP;
import static io.ringmaster.predictor.speed.SpeedParameter.NEIGHBOUR;
import static io.ringmaster.predictor.speed.SpeedParameter.OVERLAP;
import static io.ringmaster.predictor.speed.SpeedParameter.SECONDS_PER_SAMPLE;
import static io.ringmaster.predictor.speed.SpeedParameter.STARTUP;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.predictor.regression.Estimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How fast a job is, fitted to measured iterations: computation, {@code secondsPerSample * batch +
 * computeSeconds}, and a {@link FittedExchange}. No parameter is below 0. Errors count relative to
 * the time. Repeats of a place and a batch are one point, their mean, that counts as often as there
 * are repeats; they make intervals no narrower, since what the form misses once it misses always.
 *
 * <p>What is fitted depends on what was measured:
 *
 * <ul>
 *   <li>one number of workers: the computation alone, so more workers make an iteration no longer;
 *       two: the share too; three: the step too; four: the startup too
 *   <li>inside and across are the same if there are measurements of one of them only; the step also
 *       if one of them has measurements of one number of workers only
 *   <li>time for each sample if batches vary; else all of the computation is constant
 *   <li>the overlap if batches of several workers vary and there are points to spare; else it is 1
 *   <li>a parameter that others can stand for on all that was measured is 0. If a fixed number of
 *       samples is divided among workers, that is the constant: with a batch of m / w and a share
 *       of 1 - 1 / w it is a sum of both
 * </ul>
 *
 * <p>{@link #undetermined} lists what was not fitted, or only together with another.
 */
public final class SpeedFit implements SpeedModel {
  /** An iteration without computation would be a model that trains for nothing. */
  private static final double LEAST_COMPUTING = 0.01;

  private final List<StepTime> points;
  private final double secondsPerSample;
  private final double computeSeconds;
  private final FittedExchange exchange;
  private final Map<SpeedParameter, Estimate> parameters;
  private final Set<SpeedParameter> undetermined;
  private final double error;
  private final @Nullable SpeedUncertainty uncertainty;

  private SpeedFit(
      List<StepTime> points,
      Map<SpeedParameter, Estimate> parameters,
      AllReduce allReduce,
      Set<SpeedParameter> undetermined,
      double error,
      @Nullable SpeedUncertainty uncertainty) {
    this.points = points;
    this.parameters = Collections.unmodifiableMap(parameters);
    this.secondsPerSample = value(SECONDS_PER_SAMPLE);
    this.computeSeconds = value(COMPUTE);
    this.exchange =
        new FittedExchange(
            allReduce,
            value(OVERLAP),
            value(STARTUP),
            value(INSIDE_SHARE),
            value(INSIDE_STEP),
            value(ACROSS_SHARE),
            value(ACROSS_STEP),
            value(NEIGHBOUR));
    this.undetermined = Collections.unmodifiableSet(undetermined);
    this.error = error;
    this.uncertainty = uncertainty;
  }

  private double value(SpeedParameter parameter) {
    Estimate estimate = parameters.get(parameter);
    return estimate == null ? parameter == OVERLAP ? 1 : 0 : estimate.value();
  }

  /**
   * Fits to measurements, in any order.
   *
   * @param times one or more
   */
  public static SpeedFit of(List<StepTime> times, SpeedForm form, AllReduce allReduce) {
    if (times.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    List<StepTime> points = means(times);
    Terms terms = Terms.of(points, form, allReduce);
    double[] seconds = points.stream().mapToDouble(StepTime::seconds).toArray();
    double[] weights = weights(points, times);
    LogFit.Solution solution =
        LogFit.of(terms.rows(points), terms.computing(), seconds, weights, terms.tellsOverlap());
    SpeedUncertainty uncertainty = new SpeedUncertainty(points, weights, terms, solution);
    Map<SpeedParameter, Estimate> parameters = uncertainty.parameters();
    Set<SpeedParameter> undetermined = undetermined(terms, form);
    if (value(parameters, SECONDS_PER_SAMPLE) == 0 && value(parameters, COMPUTE) == 0) {
      double least = points.stream().mapToDouble(StepTime::seconds).min().orElseThrow();
      parameters.put(COMPUTE, unsure(LEAST_COMPUTING * least));
      undetermined.add(COMPUTE);
    }
    return new SpeedFit(points, parameters, allReduce, undetermined, solution.error(), uncertainty);
  }

  /**
   * Linear scaling, for a job of which nothing is known: an iteration takes the same, here a
   * second, with any number of workers anywhere. Without intervals.
   */
  public static SpeedFit unknown(AllReduce allReduce) {
    Map<SpeedParameter, Estimate> parameters = new EnumMap<>(SpeedParameter.class);
    parameters.put(COMPUTE, unsure(1));
    return new SpeedFit(
        List.of(), parameters, allReduce, EnumSet.allOf(SpeedParameter.class), Double.NaN, null);
  }

  /** One for each place and batch, in order; the sum does not depend on the order of the times. */
  private static List<StepTime> means(List<StepTime> times) {
    List<StepTime> sorted = times.stream().sorted(StepTime.ORDER).toList();
    List<StepTime> means = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= sorted.size(); to++) {
      StepTime first = sorted.get(from);
      if (to == sorted.size() || !sorted.get(to).sameConditions(first)) {
        double sum = sorted.subList(from, to).stream().mapToDouble(StepTime::seconds).sum();
        means.add(first.taking(sum / (to - from)));
        from = to;
      }
    }
    return List.copyOf(means);
  }

  /** How many times there are of each point, 1 on average. */
  private static double[] weights(List<StepTime> points, List<StepTime> times) {
    Map<StepTime, Integer> counts = new HashMap<>();
    times.forEach(time -> counts.merge(time.taking(1), 1, Integer::sum));
    return points.stream()
        .mapToDouble(p -> counts.getOrDefault(p.taking(1), 0))
        .map(count -> count * points.size() / times.size())
        .toArray();
  }

  private static Set<SpeedParameter> undetermined(Terms terms, SpeedForm form) {
    Set<SpeedParameter> open = EnumSet.noneOf(SpeedParameter.class);
    for (SpeedParameter parameter : SpeedParameter.values()) {
      boolean none = parameter == OVERLAP || parameter == STARTUP || parameter == NEIGHBOUR;
      if (form == SpeedForm.PAPER && none) {
        continue;
      }
      int term = parameter == OVERLAP ? -1 : terms.termOf(parameter);
      boolean told =
          parameter == OVERLAP
              ? terms.tellsOverlap()
              : term >= 0 && (form == SpeedForm.PAPER || terms.terms().get(term).size() == 1);
      if (!told) {
        open.add(parameter);
      }
    }
    return open;
  }

  private static Estimate unsure(double value) {
    return new Estimate(value, Double.NaN, Double.NaN, Double.NaN);
  }

  private static double value(Map<SpeedParameter, Estimate> parameters, SpeedParameter parameter) {
    Estimate estimate = parameters.get(parameter);
    return estimate == null ? 0 : estimate.value();
  }

  @Override
  public double seconds(int workers, int servers, int mostOnOne, double batch) {
    double exchanging =
        servers > 1 ? exchange.acrossSeconds(workers, mostOnOne) : exchange.insideSeconds(workers);
    return exchange.together(computeSeconds(batch), exchanging);
  }

  /**
   * Seconds with a 95 % interval for the mean of new measurements there. It holds both what the
   * parameters may be, by the delta method on logarithms over those that are not 0, and the scatter
   * of measured places around the fit, since what the form misses elsewhere it will miss here. It
   * trusts the form beyond the workers measured. There is none, only NaN, without measurements to
   * spare, and inside a server or across servers if nothing was measured there.
   */
  public Estimate estimate(int workers, int servers, int mostOnOne, double batch) {
    double seconds = seconds(workers, servers, mostOnOne, batch);
    SpeedUncertainty known = uncertainty;
    if (known == null) {
      return unsure(seconds);
    }
    return known.estimate(new StepTime(workers, servers, mostOnOne, batch, seconds));
  }

  /** Where and with the batch that something was measured. */
  public Estimate estimate(StepTime like) {
    return estimate(like.workers(), like.servers(), like.mostOnOne(), like.batch());
  }

  public double computeSeconds(double batch) {
    return secondsPerSample * batch + computeSeconds;
  }

  /** The part of the computation that grows with the batch: a profile's forward pass. */
  public double forwardSecondsPerSample() {
    return secondsPerSample;
  }

  /** The part of the computation that does not: a profile's backward pass. */
  public double backwardSeconds() {
    return computeSeconds;
  }

  public FittedExchange exchange() {
    return exchange;
  }

  /**
   * What was fitted. Where a parameter is 0 or cannot be told, its interval may be open. A
   * parameter that is not there was not fitted: it is 0, or 1 if it is the overlap.
   */
  public Map<SpeedParameter, Estimate> parameters() {
    return parameters;
  }

  /** What the measurements do not tell, or not apart from others. */
  public Set<SpeedParameter> undetermined() {
    return undetermined;
  }

  /** The means to which it was fitted, one for each place and batch. */
  public List<StepTime> points() {
    return points;
  }

  /** The root of the mean square of log(fitted / measured); NaN if nothing was measured. */
  public double logError() {
    return Math.sqrt(error);
  }
}
