package io.ringmaster.policy.maestro;

/**
 * What the policy goes by. Each ingredient can be left out, to see what it is worth.
 *
 * @param trust how many times what a job has shown its prediction is believed
 * @param trialSeconds what every job is believed to have shown
 * @param patienceSeconds how long a job waits before it goes first
 * @param theta jobs are heavy whose iterations, scattered, take over this many times as long
 * @param tau a job starts scattered if waiting would take this many times what that costs
 * @param evictionFactor how much of the harm to others counts
 * @param mostEvictions a job that was stopped so often is not stopped again
 * @param leastRunSeconds nor one that has run for less than this
 * @param reservations how many jobs may have servers kept for them
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

  Rank rank() {
    return new Rank(
        without.equals("trust") ? Double.POSITIVE_INFINITY : trust, trialSeconds, patienceSeconds);
  }

  boolean consolidates() {
    return !without.equals("consolidation");
  }

  boolean preempts() {
    return !without.equals("preemption");
  }

  boolean searches() {
    return !without.equals("search");
  }

  boolean waits() {
    return !without.equals("waiting");
  }
}
