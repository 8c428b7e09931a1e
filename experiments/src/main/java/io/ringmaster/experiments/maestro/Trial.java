package io.ringmaster.experiments.maestro;

import io.ringmaster.policy.KnownLengths;
import org.jspecify.annotations.Nullable;

/** A policy in a cell, or a bound: run on every draw that is asked for. Equal ones run once. */
interface Trial {
  /** What came of it on one draw, one figure or several. */
  double[] run(long seed);

  /** What the policy knows of lengths; null of a bound. */
  @Nullable KnownLengths lengths();
}
