package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.simulator.Statistics;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Figures by setting and strategy.
 *
 * @param made what was run in a strategy's place
 */
record Means(Outcomes<ASrptCell, Double> outcomes, UnaryOperator<Strategy> made) {

  Statistics figure(ASrptSetting setting, Strategy strategy) {
    return outcomes.over(new ASrptCell(setting, made.apply(strategy)), Double::doubleValue);
  }

  Statistics minutes(ASrptSetting setting, Strategy strategy) {
    Statistics seconds = figure(setting, strategy);
    return new Statistics(seconds.mean() / 60, seconds.ci95() / 60);
  }

  double seconds(ASrptSetting setting, Strategy strategy) {
    return figure(setting, strategy).mean();
  }

  /** The least of some strategies. */
  double best(ASrptSetting setting, List<Strategy> strategies) {
    return strategies.stream().mapToDouble(s -> seconds(setting, s)).min().orElseThrow();
  }
}
