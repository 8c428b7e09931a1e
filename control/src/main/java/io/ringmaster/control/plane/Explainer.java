package io.ringmaster.control.plane;

import java.util.Optional;

/** Answers "why is my job waiting, and when will it start?". Waits no longer than a moment. */
@FunctionalInterface
public interface Explainer {
  Optional<Explanation> explain(long job);

  /**
   * What policies are told that the next ones cost; NaN: not known.
   *
   * @param startSeconds of a first start
   */
  record Expected(double startSeconds, double restartSeconds) {}

  default Expected expected() {
    return new Expected(Double.NaN, Double.NaN);
  }
}
