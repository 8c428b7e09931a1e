package io.ringmaster.policy.execution;

import io.ringmaster.predictor.told.LengthErrors;
import io.ringmaster.predictor.told.LikelyLeft;
import java.util.HashMap;
import java.util.Map;

/**
 * What is likely left of each job. The jobs that are there are counted in as well: they say that
 * they are not over yet.
 */
final class LikelyLengths {
  /** What is likely is found anew when so many times as many jobs have ended. */
  private static final double NEWS = 9.0 / 8;

  private final Execution execution;
  private final Map<LengthErrors, Known> known = new HashMap<>();

  private record Known(int ended, LikelyLeft left) {
    boolean isOld(int endedBy) {
      return endedBy > NEWS * ended;
    }
  }

  LikelyLengths(Execution execution) {
    this.execution = execution;
  }

  /** In ideal seconds. */
  double leftSeconds(int job) {
    JobTable jobs = execution.jobs;
    LengthErrors errors = jobs.lengthErrors(job);
    if (errors == null) {
      return Math.max(0, jobs.estimateSeconds(job) - execution.done(job));
    }
    Known last = known.get(errors);
    int ended = errors.ended();
    if (last == null || last.isOld(ended)) {
      last = new Known(ended, errors.likely(each -> tellAlive(errors, each)));
      known.put(errors, last);
    }
    return last.left.medianSeconds(jobs.toldSeconds(job), execution.done(job));
  }

  private void tellAlive(LengthErrors errors, LengthErrors.Alive.Each each) {
    JobTable jobs = execution.jobs;
    for (int job = 0; job < execution.come(); job++) {
      boolean there = execution.ledger.waiting(job) || execution.ledger.running(job);
      if (there && execution.done(job) > 0 && jobs.lengthErrors(job) == errors) {
        each.job(jobs.toldSeconds(job), execution.done(job));
      }
    }
  }
}
