package io.ringmaster.control.engine;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;

/**
 * What an engine needs to start an attempt: as many workers as there are GPUs in the allocation,
 * ranks in the order of its nodes.
 *
 * @param learningRateScale what to multiply the learning rate by; 1 if nobody said otherwise
 */
public record Launch(
    AttemptId attempt,
    String user,
    JobSpec spec,
    Allocation allocation,
    double learningRateScale) {}
