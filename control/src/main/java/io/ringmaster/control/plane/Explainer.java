package io.ringmaster.control.plane;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

  /** What another policy would do with the present queue. May take seconds. */
  default CompletableFuture<Preview> preview(String policy, Map<String, String> settings) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException());
  }

  /** What is expected of the whole queue; empty: that is not known yet. */
  default Optional<Outlook> outlook() {
    return Optional.empty();
  }

  default Expected expected() {
    return new Expected(Double.NaN, Double.NaN);
  }
}
