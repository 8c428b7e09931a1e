package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What is expected of {@code a-srpt} with its defaults when lengths are known, each as the largest
 * ratio over the settings that it is said of. The figures are from a prototype of this project.
 */
record Bounds(List<ASrptSetting> settings, Means means) {
  private static final int FAST_GIGABITS = 100;
  private static final double LIGHT_LOAD = 0.7;

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
        setting -> over(setting, means.best(setting, Strategy.RESERVED)));
    add(
        checks,
        "itself without delay",
        1,
        _ -> true,
        setting -> over(setting, means.seconds(setting, Strategy.NO_DELAY)));
    return checks;
  }

  private double overPlain(ASrptSetting setting) {
    return over(setting, means.best(setting, Strategy.BASELINES));
  }

  private double over(ASrptSetting setting, double seconds) {
    return means.seconds(setting, Strategy.RESERVE) / seconds;
  }

  private void add(
      List<Experiment.Check> checks,
      String than,
      double limit,
      Predicate<ASrptSetting> where,
      ToDoubleFunction<ASrptSetting> ratio) {
    double worst = settings.stream().filter(where).mapToDouble(ratio).max().orElseThrow();
    checks.add(new Experiment.Check("a-srpt over " + than, worst, limit));
  }
}
