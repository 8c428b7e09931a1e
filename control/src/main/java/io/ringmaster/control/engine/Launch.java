package io.ringmaster.control.engine;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;

/**
 * What an engine needs to start an attempt: as many workers as there are GPUs in the allocation,
 * ranks in the order of its nodes.
 *
 * @param arrival what the place calls the job, if it was given to the place itself: the attempt
 *     runs that. Empty: it was submitted to the plane
 * @param learningRateScale what to multiply the learning rate by; 1 if nobody said otherwise
 */
public record Launch(
    AttemptId attempt,
    String user,
    JobSpec spec,
    Allocation allocation,
    String arrival,
    double learningRateScale) {

  /** Of a job that was submitted to the plane. */
  public Launch(
      AttemptId attempt,
      String user,
      JobSpec spec,
      Allocation allocation,
      double learningRateScale) {
    this(attempt, user, spec, allocation, "", learningRateScale);
  }
}
