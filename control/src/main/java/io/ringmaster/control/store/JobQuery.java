package io.ringmaster.control.store;

import io.ringmaster.control.job.JobState;
import java.util.Set;

/**
 * Which jobs to list, newest first.
 *
 * @param user empty: of all
 * @param states empty: all
 * @param below ids below this
 */
public record JobQuery(String user, Set<JobState> states, long below, int limit) {}
