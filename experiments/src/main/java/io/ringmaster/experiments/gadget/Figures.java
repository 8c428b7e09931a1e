package io.ringmaster.experiments.gadget;

import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What the cases came to on every draw. */
final class Figures {
  private final List<Case> cases;
  private final List<Case.Outcome> outcomes;

  /**
   * All outcomes.
   *
   * @param outcomes draw by draw, each in the order of the cases
   */
  Figures(List<Case> cases, List<Case.Outcome> outcomes) {
    this.cases = cases;
    this.outcomes = outcomes;
  }

  /** The cases that a rule chooses, in their order. */
  List<Case> chosen(Predicate<Case> rule) {
    return cases.stream().filter(rule).toList();
  }

  /** A figure of a case on every draw. */
  double[] values(Case each, ToDoubleFunction<Case.Outcome> figure) {
    int at = cases.indexOf(each);
    List<Double> values = new ArrayList<>();
    for (int i = at; i < outcomes.size(); i += cases.size()) {
      values.add(figure.applyAsDouble(outcomes.get(i)));
    }
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  Statistics over(Case each, ToDoubleFunction<Case.Outcome> figure) {
    return Statistics.of(values(each, figure));
  }
}
