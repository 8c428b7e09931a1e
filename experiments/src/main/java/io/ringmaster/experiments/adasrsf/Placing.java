package io.ringmaster.experiments.adasrsf;

/** Which GPUs with enough memory a job's workers share. */
sealed interface Placing {
  /**
   * LWF-kappa: a job of up to kappa workers takes the GPUs with the least load, a larger one the
   * nodes with the least mean load, and in each the GPUs with the least.
   */
  record LeastWork(int kappa) implements Placing {}

  /** The first GPUs. */
  record FirstFit() implements Placing {}

  /** Any GPUs. */
  record Random() implements Placing {}
}
