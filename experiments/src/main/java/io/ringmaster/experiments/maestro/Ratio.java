package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.simulator.Statistics;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A row to be: the figure of one policy over that of another, on the same draws.
 *
 * @param setting of the row
 * @param below one, or several of which the best in the mean over the draws counts
 * @param moreIsBetter whether the best is the largest
 * @param mostDraws no more are taken
 */
record Ratio(
    Map<String, Object> setting,
    Metric metric,
    Quantity above,
    List<Quantity> below,
    boolean moreIsBetter,
    int mostDraws) {
  /** What was tuned used seeds up to this; the experiments of the papers begin with seed 1. */
  private static final long TUNED_SEEDS = 20_000;

  /** On all draws, where less is better. */
  Ratio(Map<String, Object> setting, Metric metric, Quantity above, List<Quantity> below) {
    this(setting, metric, above, below, false, Integer.MAX_VALUE);
  }

  Ratio whereMoreIsBetter() {
    return new Ratio(setting, metric, above, below, true, mostDraws);
  }

  Ratio onAtMost(int draws) {
    return new Ratio(setting, metric, above, below, moreIsBetter, draws);
  }

  /** How many draws it takes of those that are asked for. */
  private int draws(int asked) {
    return Math.min(asked, mostDraws);
  }

  private List<Trial> trials() {
    return Stream.concat(Stream.of(above), below.stream()).map(Quantity::trial).toList();
  }

  /**
   * Every trial of some ratios, on fresh draws, as many as the ratio that takes the most.
   *
   * @param others more that run, and on how many draws at most
   */
  static Grid<Trial, double[]> grid(List<Ratio> ratios, Map<Trial, Integer> others) {
    Map<Trial, Integer> mostDraws = new LinkedHashMap<>(others);
    for (Ratio ratio : ratios) {
      ratio.trials().forEach(trial -> mostDraws.merge(trial, ratio.mostDraws, Math::max));
    }
    return new Grid<Trial, double[]>(
            mostDraws.keySet(), (trial, draw) -> trial.run(TUNED_SEEDS + draw))
        .withAtMost(trial -> mostDraws.getOrDefault(trial, 0));
  }

  Row row(Outcomes<Trial, double[]> outcomes, int asked) {
    int draws = draws(asked);
    Quantity other = best(outcomes, draws);
    double[] own = values(outcomes, above, draws);
    double[] others = values(outcomes, other, draws);
    Map<String, Object> named = new LinkedHashMap<>(setting);
    if (metric.chooses()) {
      named.put("baseline", other.name());
    }
    Statistics figure = metric == Metric.OF_MEANS_TO_SEED ? ofMeans(own, others) : of(own, others);
    return new Row(named, above.name(), above.trial().lengths(), metric.text(), figure);
  }

  private Quantity best(Outcomes<Trial, double[]> outcomes, int draws) {
    Comparator<Quantity> byMean = Comparator.comparingDouble(q -> mean(values(outcomes, q, draws)));
    return (moreIsBetter ? below.stream().max(byMean) : below.stream().min(byMean)).orElseThrow();
  }

  private static double[] values(Outcomes<Trial, double[]> outcomes, Quantity quantity, int draws) {
    return Arrays.copyOf(
        outcomes.values(quantity.trial(), figures -> figures[quantity.at()]), draws);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  private static Statistics of(double[] above, double[] below) {
    double[] ratios = new double[above.length];
    Arrays.setAll(ratios, i -> above[i] / below[i]);
    return Statistics.of(ratios);
  }

  /**
   * The ratio r of the means. Its interval is that of r + (a - r b) / mean(b) for draws (a, b): the
   * first terms of the ratio's Taylor series (Cochran, Sampling Techniques, section 6.4).
   */
  private static Statistics ofMeans(double[] above, double[] below) {
    double base = mean(below);
    double ratio = mean(above) / base;
    double[] terms = new double[above.length];
    Arrays.setAll(terms, i -> ratio + (above[i] - ratio * below[i]) / base);
    return new Statistics(ratio, Statistics.of(terms).ci95());
  }
}
