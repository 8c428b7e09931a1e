package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import java.util.Map;

/**
 * What happened in truth, and how far the replay of it is off. Only jobs count whose start and end
 * are known.
 *
 * @param waitErrorSeconds mean over jobs of how far the replayed wait is from the true one
 * @param completionErrorSeconds the same of the time from submission to end
 * @param nearShare of the jobs: their replayed wait is within a minute of the true one
 * @param freeShare of all waiting: as many GPUs were free as the job asked for, as far as the
 *     history tells; NaN if it does not
 */
public record Truth(
    int jobs,
    double waitMeanSeconds,
    double wait95Seconds,
    double completionMeanSeconds,
    double completion95Seconds,
    double waitErrorSeconds,
    double completionErrorSeconds,
    double nearShare,
    double freeShare) {
  private static final double NEAR_SECONDS = 60;

  /** Compares with a replay of the very jobs, unshifted. */
  static Truth of(History history, Outcome replay) {
    Jobs jobs = history.jobs();
    Outcome truth = Outcome.truth(jobs);
    Map<String, Integer> places = replay.byId();
    int known = 0;
    int near = 0;
    double waits = 0;
    double completions = 0;
    for (int job = 0; job < jobs.size(); job++) {
      Integer place = places.get(jobs.id(job));
      if (place != null && Double.isFinite(truth.wait(job) + truth.completion(job))) {
        double off = Math.abs(replay.wait(place) - truth.wait(job));
        known++;
        near += off <= NEAR_SECONDS ? 1 : 0;
        waits += off;
        completions += Math.abs(replay.completion(place) - truth.completion(job));
      }
    }
    return new Truth(
        known,
        truth.meanWait(),
        truth.wait95(),
        truth.meanCompletion(),
        truth.completion95(),
        waits / known,
        completions / known,
        near / (double) known,
        FreeWhileWaiting.share(history));
  }
}
