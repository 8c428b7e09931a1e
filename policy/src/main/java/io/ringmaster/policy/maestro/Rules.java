package io.ringmaster.policy.maestro;

/**
 * What the policy goes by. Each ingredient can be left out, to see what it is worth.
 *
 * @param trust a prediction is believed up to so many times the GPU-time that a job has held
 * @param trialSeconds every job counts as if it had held its GPUs for so long
 * @param patienceSeconds how long a job waits before it goes first
 * @param theta jobs are heavy whose iterations, scattered or in a crowd, take over this many times
 *     as long
 * @param tau a job starts scattered if waiting would take this many times what that costs
 * @param evictionFactor how much of the harm to others counts
 * @param mostEvictions a job that was stopped so often is not stopped again
 * @param leastRunSeconds nor one that has run for less than this
 * @param reservations how many jobs may have servers kept for them
 * @param without the ingredient that is left out
 */
record Rules(
    double trust,
    double trialSeconds,
    double patienceSeconds,
    double theta,
    double tau,
    double evictionFactor,
    int mostEvictions,
    double leastRunSeconds,
    int reservations,
    String without) {

  static Rules of(double trust, double patienceSeconds, String without) {
    return new Rules(trust, 60, patienceSeconds, 1.1, 3, 0.05, 10, 60, 1, without);
  }

  /** The same, but predictions are believed as they are. */
  Rules believing() {
    return new Rules(
        Double.POSITIVE_INFINITY,
        trialSeconds,
        patienceSeconds,
        theta,
        tau,
        evictionFactor,
        mostEvictions,
        leastRunSeconds,
        reservations,
        without);
  }

  Rank rank() {
    return new Rank(
        has("trust") ? trust : Double.POSITIVE_INFINITY,
        trialSeconds,
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
