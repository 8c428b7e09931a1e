package io.ringmaster.experiments.maestro;

/** A policy in a cell, or a bound: run on every draw that is asked for. Equal ones run once. */
interface Trial {
  /** What came of it on one draw, one figure or several. */
  double[] run(long seed);
}
