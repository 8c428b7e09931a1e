package io.ringmaster.control.plane;

import static io.ringmaster.control.plane.BrokenInvariant.Invariant.QUOTA_COUNTS;
import static io.ringmaster.control.plane.BrokenInvariant.unless;

import io.ringmaster.control.job.Job;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How many GPUs the jobs of users with a quota count for, and which of their jobs wait to be let
 * in. Users without a quota are not counted.
 */
final class Quotas {
  private static final Comparator<Job> ORDER =
      Comparator.comparingInt((Job j) -> -j.spec().priority())
          .thenComparingDouble(Job::eligibleSeconds)
          .thenComparingLong(Job::id);

  private final Map<String, Integer> quotaGpus;
  private final Map<String, Integer> usedGpus = new HashMap<>();
  private final Map<String, TreeSet<Job>> queues = new HashMap<>();

  /** Jobs that the policy has no say in and that still hold GPUs. */
  private final Map<Long, Job> leaving = new HashMap<>();

  Quotas(Map<String, Integer> quotaGpus) {
    this.quotaGpus = quotaGpus;
  }

  boolean limits(Job job) {
    return quotaGpus.containsKey(job.user());
  }

  /** No more may be given to a job's user. */
  int gpus(Job job) {
    return quotaGpus.getOrDefault(job.user(), Integer.MAX_VALUE);
  }

  int usedGpus(Job job) {
    return usedGpus.getOrDefault(job.user(), 0);
  }

  /** What a job counts for: the most that it may be given. */
  private int size(Job job) {
    return Math.min(job.spec().maxGpus(), gpus(job));
  }

  /** A job counts from now on, or no more. */
  void count(Job job, int sign) {
    if (limits(job)) {
      usedGpus.merge(job.user(), sign * size(job), Integer::sum);
    }
  }

  /** A job that the policy has no say in holds GPUs: they count until it frees them. */
  void holds(Job job) {
    if (limits(job) && leaving.putIfAbsent(job.id(), job) == null) {
      count(job, 1);
    }
  }

  /** Whether that makes room. */
  boolean frees(Job job) {
    boolean held = leaving.remove(job.id()) != null;
    if (held) {
      count(job, -1);
    }
    return held;
  }

  /** A job waits to be let in. */
  void queue(Job job) {
    queues.computeIfAbsent(job.user(), _ -> new TreeSet<>(ORDER)).add(job);
  }

  void unqueue(Job job) {
    TreeSet<Job> queue = queues.get(job.user());
    if (queue != null) {
      queue.remove(job);
    }
  }

  /** Takes the next job of a user out of the queue, if the quota has room for it. */
  @Nullable Job next(Job ofSameUser) {
    TreeSet<Job> queue = queues.get(ofSameUser.user());
    return queue == null
            || queue.isEmpty()
            || usedGpus(ofSameUser) + size(queue.first()) > gpus(ofSameUser)
        ? null
        : queue.removeFirst();
  }

  boolean isQueued(Job job) {
    TreeSet<Job> queue = queues.get(job.user());
    return queue != null && queue.contains(job);
  }

  /** Whether what counts for the user of a job that changed can be. */
  void check(Job job) {
    unless(usedGpus(job) >= 0, QUOTA_COUNTS, "%s uses %d GPUs", job.user(), usedGpus(job));
    unless(
        !leaving.containsKey(job.id()) || !job.state().isEnd(),
        QUOTA_COUNTS,
        "job %d has ended and still counts for %s",
        job.id(),
        job.user());
  }

  /**
   * Whether what counts is what was let in, and what holds GPUs without being let in.
   *
   * @param open jobs that have not ended
   */
  void checkAll(Collection<Job> admitted, Map<Long, Job> open) {
    Quotas counted = new Quotas(quotaGpus);
    quotaGpus.keySet().forEach(user -> counted.usedGpus.put(user, 0));
    admitted.forEach(job -> counted.count(job, 1));
    leaving.values().forEach(job -> counted.count(job, 1));
    counted.usedGpus.forEach((user, gpus) ->
        unless(
            usedGpus.getOrDefault(user, 0).equals(gpus),
            QUOTA_COUNTS,
            "%d GPUs are counted for %s, whose jobs count for %d",
            usedGpus.getOrDefault(user, 0),
            user,
            gpus));
    unless(
        open.keySet().containsAll(leaving.keySet()),
        QUOTA_COUNTS,
        "jobs %s are leaving, and not all of them are there",
        leaving.keySet());
  }
}
