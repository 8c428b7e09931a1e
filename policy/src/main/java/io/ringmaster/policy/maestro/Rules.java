package io.ringmaster.policy.maestro;

/**
 * What the policy goes by. Each ingredient can be left out, to see what it is worth.
 *
 * @param trust a prediction is believed up to so many times the GPU-time that a job has held
 * @param patienceSeconds how long a job waits before it goes first
 * @param without the ingredient that is left out
 */
record Rules(double trust, double patienceSeconds, String without) {
  /** Every job counts as if it had held its GPUs for so long. */
  private static final double TRIAL_SECONDS = 60;

  /**
   * Jobs are heavy whose iterations, scattered or in a crowd, take over this many times as long.
   */
  static final double HEAVY_SLOWDOWN = 1.1;

  /** A job starts scattered if waiting would take this many times what that costs. */
  static final double WAIT_OVER_SCATTERING = 3;

  /** How much of the harm to others counts when jobs are stopped for one. */
  static final double HARM_WEIGHT = 0.05;

  /** A job that was stopped so often is not stopped again. */
  static final int MOST_EVICTIONS = 10;

  /** Nor one that has run for less than this. */
  static final double LEAST_RUN_SECONDS = 60;

  /** How many jobs may have servers kept for them. */
  static final int MOST_RESERVATIONS = 1;

  /** The same, but predictions are believed as they are. */
  Rules believing() {
    return new Rules(Double.POSITIVE_INFINITY, patienceSeconds, without);
  }

  Rank rank() {
    return new Rank(
        has("trust") ? trust : Double.POSITIVE_INFINITY,
        TRIAL_SECONDS,
        patienceSeconds,
        has("order"));
  }

  private boolean has(String ingredient) {
    return !without.equals(ingredient);
  }

  boolean orders() {
    return has("order");
  }

  boolean consolidates() {
    return has("consolidation");
  }

  boolean preempts() {
    return has("preemption");
  }

  boolean waits() {
    return has("waiting");
  }

  boolean grows() {
    return has("growth");
  }

  boolean searches() {
    return has("search");
  }
}
