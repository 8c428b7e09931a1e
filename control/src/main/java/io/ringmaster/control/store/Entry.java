package io.ringmaster.control.store;

import io.ringmaster.control.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A line of history: what happened to a job, and why. Also what is told to those who listen for
 * changes.
 *
 * @param serial ascending over all jobs, without gaps
 * @param from null for a submission
 * @param allocation where it runs, is to run or ran, as text; or empty
 * @param reason in words, for people
 */
public record Entry(
    long serial,
    double seconds,
    long job,
    String user,
    @Nullable JobState from,
    JobState to,
    int attempt,
    String allocation,
    String reason) {}
