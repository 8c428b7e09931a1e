package io.ringmaster.control.store;

import io.ringmaster.control.job.JobState;
import java.util.Set;

/**
 * Which jobs to list, newest first.
 *
 * @param user empty: of all
 * @param states empty: all
 * @param ended when they ended and what they are called
 * @param below ids below this
 */
public record JobQuery(String user, Set<JobState> states, Search ended, long below, int limit) {

  public JobQuery(String user, Set<JobState> states, long below, int limit) {
    this(user, states, Search.ALL, below, limit);
  }

  JobQuery withLimit(int other) {
    return new JobQuery(user, states, ended, below, other);
  }

  /**
   * What is looked for among jobs.
   *
   * @param name a part of what they are called, in letters of any size; empty: whatever
   * @param fromSeconds they ended then or later; minus infinity: whenever, or not yet
   * @param toSeconds they ended before; infinity: whenever, or not yet
   */
  public record Search(String name, double fromSeconds, double toSeconds) {
    public static final Search ALL =
        new Search("", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }
}
