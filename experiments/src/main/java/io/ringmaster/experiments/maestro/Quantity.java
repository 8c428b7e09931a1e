package io.ringmaster.experiments.maestro;

/**
 * One figure of a trial.
 *
 * @param name of the policy, as rows name it
 * @param at which of the trial's figures
 */
record Quantity(String name, Trial trial, int at) {
  /** Of a trial with one figure. */
  static Quantity of(String name, Trial trial) {
    return new Quantity(name, trial, 0);
  }
}
