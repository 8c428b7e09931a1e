package io.ringmaster.model;

import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What became of jobs in truth, under whatever scheduler the site had. JCTs are from submission to
 * end. A percentile is the first value that such a share is below, as in the figures of a run.
 *
 * @param jobs those of which it is known when they started
 */
public record Past(
    int jobs,
    double waitMeanSeconds,
    double waitP50Seconds,
    double waitP95Seconds,
    double jctMeanSeconds,
    double jctP50Seconds,
    double jctP95Seconds,
    double jctP99Seconds) {

  /** None if it is known of no job when it started. */
  public static Optional<Past> of(Jobs jobs) {
    if (!jobs.isHistory()) {
      return Optional.empty();
    }
    double[] waits =
        known(jobs, IntStream.range(0, jobs.size()).mapToDouble(jobs::startedSeconds).toArray());
    double[] completions =
        known(jobs, IntStream.range(0, jobs.size()).mapToDouble(jobs::endedSeconds).toArray());
    return waits.length == 0
        ? Optional.empty()
        : Optional.of(
            new Past(
                waits.length,
                mean(waits),
                ranked(waits, 0.50),
                ranked(waits, 0.95),
                mean(completions),
                ranked(completions, 0.50),
                ranked(completions, 0.95),
                ranked(completions, 0.99)));
  }

  /** Times since submission, in order, without those that nobody knows. */
  private static double[] known(Jobs jobs, double[] moments) {
    return IntStream.range(0, moments.length)
        .mapToDouble(job -> moments[job] - jobs.submitSeconds(job))
        .filter(Double::isFinite)
        .sorted()
        .toArray();
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElse(Double.NaN);
  }

  private static double ranked(double[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
  }
}
