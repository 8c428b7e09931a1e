package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What is expected of {@code a-srpt} with its defaults when lengths are known, each as the largest
 * ratio over the cells that it is said of. The figures are from a prototype of this project.
 */
final class Bounds {
  private static final int FAST_GIGABITS = 100;
  private static final double LIGHT_LOAD = 0.7;

  private final List<Cell> cells;
  private final Means means;

  Bounds(List<Cell> cells, Means means) {
    this.cells = cells;
    this.means = means;
  }

  List<Experiment.Check> all() {
    List<Experiment.Check> checks = new ArrayList<>();
    add(
        checks,
        "the best plain baseline, load 0.7",
        1.02,
        c -> c.load() <= LIGHT_LOAD,
        this::overPlain);
    add(
        checks,
        "the best plain baseline, load 0.9 and more, 10 and 25 Gbit/s",
        0.5,
        c -> c.load() > LIGHT_LOAD && c.bandwidth() < FAST_GIGABITS,
        this::overPlain);
    add(
        checks,
        "the best plain baseline, load 0.9 and more, 100 Gbit/s",
        0.95,
        c -> c.load() > LIGHT_LOAD && c.bandwidth() == FAST_GIGABITS,
        this::overPlain);
    add(
        checks,
        "the best baseline with the same reservation",
        1.15,
        _ -> true,
        cell -> over(cell, means.best(cell, Strategy.RESERVED)));
    add(
        checks,
        "itself without delay",
        1,
        _ -> true,
        cell -> over(cell, means.seconds(cell, Strategy.NO_DELAY)));
    return checks;
  }

  private double overPlain(Cell cell) {
    return over(cell, means.best(cell, Strategy.BASELINES));
  }

  private double over(Cell cell, double seconds) {
    return means.seconds(cell, Strategy.RESERVE) / seconds;
  }

  private void add(
      List<Experiment.Check> checks,
      String than,
      double limit,
      Predicate<Cell> where,
      ToDoubleFunction<Cell> ratio) {
    double worst = cells.stream().filter(where).mapToDouble(ratio).max().orElseThrow();
    checks.add(new Experiment.Check("a-srpt over " + than, worst, limit));
  }
}
