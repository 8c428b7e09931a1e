package io.ringmaster.control.store;

import io.ringmaster.control.job.Job;
import java.util.List;

/**
 * Some jobs, newest first.
 *
 * @param more whether others follow
 */
public record JobPage(List<Job> jobs, boolean more) {}
