package io.ringmaster.experiments.asrpt;

import io.ringmaster.simulator.Statistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Figures by cell and by the name of the strategy. */
final class Means {
  private record Key(Cell cell, String strategy) {}

  private final Map<Key, Statistics> figures = new HashMap<>();

  Means(List<Case> cases, List<Statistics> figures) {
    for (int i = 0; i < cases.size(); i++) {
      Case each = cases.get(i);
      this.figures.put(new Key(each.cell(), each.strategy().name()), figures.get(i));
    }
  }

  Statistics figure(Cell cell, Strategy strategy) {
    return Objects.requireNonNull(figures.get(new Key(cell, strategy.name())));
  }

  double seconds(Cell cell, Strategy strategy) {
    return figure(cell, strategy).mean();
  }

  /** The least of some strategies. */
  double best(Cell cell, List<Strategy> strategies) {
    return strategies.stream().mapToDouble(s -> seconds(cell, s)).min().orElseThrow();
  }
}
