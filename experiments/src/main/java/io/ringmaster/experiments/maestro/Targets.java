package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * What is expected of the policy beside each of the four. The figures are from prototypes of this
 * project. Each is of the worst cell that it is said of.
 */
record Targets(List<Row> rows) {
  private static final double LIGHT_LOAD = 0.7;

  List<Experiment.Check> all() {
    List<Experiment.Check> checks = new ArrayList<>();
    addBatch(checks, Metric.TO_SEED, "SJF-BCO's", 0.80);
    addBatch(checks, Metric.TO_BEST_BASELINE, "the best baseline's", 0.97);
    addBatch(checks, Metric.TO_BOUND, "the lower bound", 1.10);
    addOnline(checks, "group-mean", 0.92);
    addOnline(checks, "perfect", 1.00);
    atMost(
        checks,
        1.00,
        "doubling, every contention, equal and log-normal lengths: over doubling",
        ratios(Metric.TO_SEED, row -> of(row, DoublingPart.SEED)));
    addElastic(checks, "moderate", DoublingPart.EQUAL, 0.92);
    addElastic(checks, "extreme", DoublingPart.LOG_NORMAL, 0.85);
    // More is better here.
    atMost(
        checks,
        1 / 0.99,
        "gadget, every size, load and goal: utility of gadget over that of maestro",
        ratios(Metric.TO_SEED, row -> of(row, GadgetPart.SEED)).map(ratio -> 1 / ratio));
    return checks;
  }

  private void addBatch(List<Experiment.Check> checks, Metric metric, String than, double limit) {
    atMost(
        checks,
        limit,
        "sjf-bco, every size and cap: makespan over " + than,
        ratios(
            metric,
            row ->
                of(row, SjfBcoPart.SEED)
                    && has(row, "objective", SjfBcoPart.MAKESPAN)
                    && has(row, "figure", SjfBcoPart.MAKESPAN)
                    && !row.setting().containsKey(AdversarialPart.PREDICTION)));
  }

  private void addOnline(List<Experiment.Check> checks, String prediction, double limit) {
    atMost(
        checks,
        limit,
        "a-srpt, loads 0.9 and 1.1, every bandwidth, lengths %s: over a-srpt".formatted(prediction),
        ratios(
            Metric.TO_SEED,
            row ->
                of(row, ASrptPart.SEED)
                    && has(row, AdversarialPart.PREDICTION, prediction)
                    && !has(row, "load", LIGHT_LOAD)));
  }

  private void addElastic(
      List<Experiment.Check> checks, String contention, String lengths, double limit) {
    atMost(
        checks,
        limit,
        "doubling, contention %s, lengths %s: over doubling".formatted(contention, lengths),
        ratios(
            Metric.TO_SEED,
            row ->
                of(row, DoublingPart.SEED)
                    && has(row, "contention", contention)
                    && has(row, DoublingPart.LENGTHS, lengths)));
  }

  private static boolean of(Row row, String experiment) {
    return has(row, MaestroExperiment.EXPERIMENT, experiment);
  }

  private static boolean has(Row row, String key, Object value) {
    return value.equals(row.setting().get(key));
  }

  /** Means of the whole policy. */
  private DoubleStream ratios(Metric metric, Predicate<Row> chosen) {
    return rows.stream()
        .filter(row -> row.metric().equals(metric.text()))
        .filter(row -> !row.setting().containsKey(Maestro.WITHOUT))
        .filter(chosen)
        .mapToDouble(row -> row.figure().mean());
  }

  /** Nothing is expected of what was not run. */
  private static void atMost(
      List<Experiment.Check> checks, double limit, String what, DoubleStream ratios) {
    ratios.max().ifPresent(ratio -> checks.add(new Experiment.Check(what, ratio, limit)));
  }
}
