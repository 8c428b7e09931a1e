package io.ringmaster.control.plane;

import io.ringmaster.predictor.told.LengthErrors;
import io.ringmaster.predictor.told.LikelyLeft;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is likely left of each of the jobs that are there, by how wrong lengths were told so far: as
 * policies believe too ({@link io.ringmaster.policy.View#likelyLeftSeconds}).
 */
final class ExpectedLeft {
  private final List<HostedJob> there;
  private final Map<LengthErrors, LikelyLeft> likely = new HashMap<>();

  ExpectedLeft(List<HostedJob> there) {
    this.there = there;
  }

  /** In ideal seconds. */
  double seconds(HostedJob job) {
    LengthErrors errors = job.lengthErrors();
    return errors == null
        ? job.estimateSeconds - job.doneSeconds
        : likely
            .computeIfAbsent(errors, this::likely)
            .medianSeconds(job.toldSeconds, job.doneSeconds);
  }

  private LikelyLeft likely(LengthErrors errors) {
    return errors.likely(each ->
        there.stream()
            .filter(job -> job.doneSeconds > 0 && errors.equals(job.lengthErrors()))
            .forEach(job -> each.job(job.toldSeconds, job.doneSeconds)));
  }
}
