package io.ringmaster.policy.batch;

/**
 * The best trial of a search.
 *
 * @param limitSeconds theta: the most planned time of a GPU
 * @param kappa jobs of up to so many GPUs are packed, larger ones spread
 * @param endSeconds when the last job would end; infinite if the trial was infeasible or given up
 * @param mostPlannedSeconds the greatest planned time of a GPU
 * @param gpusOf the GPUs of each waiting job where they are fixed beforehand; else empty
 */
@SuppressWarnings("ArrayRecordComponent") // Plans are never compared.
record Plan(
    double limitSeconds, int kappa, double endSeconds, double mostPlannedSeconds, int[][] gpusOf) {

  static Plan infeasible(double limitSeconds) {
    return new Plan(limitSeconds, 0, Double.POSITIVE_INFINITY, 0, new int[0][]);
  }
}
