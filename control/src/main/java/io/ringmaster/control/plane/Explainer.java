package io.ringmaster.control.plane;

import java.util.Optional;

/** Answers "why is my job waiting, and when will it start?". May take a second. */
@FunctionalInterface
public interface Explainer {
  Optional<Explanation> explain(long job);
}
