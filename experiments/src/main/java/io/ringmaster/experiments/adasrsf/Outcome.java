package io.ringmaster.experiments.adasrsf;

import java.util.Arrays;

/** The figures of a run. */
record Outcome(double meanJctSeconds, double p95JctSeconds, double makespanSeconds) {
  private static final double MILLIS_PER_SECOND = 1e3;

  static Outcome of(Workload workload, double[] finishMillis) {
    double[] jct = new double[finishMillis.length];
    double last = 0;
    for (int job = 0; job < jct.length; job++) {
      jct[job] = (finishMillis[job] - workload.job(job).submitMillis()) / MILLIS_PER_SECOND;
      last = Math.max(last, finishMillis[job]);
    }
    double mean = Arrays.stream(jct).sum() / jct.length;
    Arrays.sort(jct);
    double p95 = jct[Math.min(jct.length - 1, (int) (0.95 * jct.length))];
    return new Outcome(mean, p95, (last - workload.job(0).submitMillis()) / MILLIS_PER_SECOND);
  }
}
