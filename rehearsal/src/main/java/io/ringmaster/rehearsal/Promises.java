package io.ringmaster.rehearsal;

import io.ringmaster.control.job.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What clients asked for, and what they were promised. A promise is an answer that reached them.
 */
final class Promises {

  /** A submission that was acknowledged. */
  record Accepted(String user, String key, JobSpec spec) {}

  /** A cancel that was acknowledged. */
  private record Cancelled(int attempt, double seconds, boolean force) {}

  private final Checks checks;
  private final Map<Long, Accepted> accepted = new LinkedHashMap<>();
  private final Map<String, Long> byKey = new HashMap<>();
  private final Set<Long> cancelsSent = new HashSet<>();
  private final Map<Long, Cancelled> cancelled = new HashMap<>();
  private final Set<String> drained = new HashSet<>();
  private final Map<String, Integer> resumes = new HashMap<>();

  Promises(Checks checks) {
    this.checks = checks;
  }

  void accepted(long job, String user, String key, JobSpec spec) {
    @Nullable Accepted before = accepted.putIfAbsent(job, new Accepted(user, key, spec));
    if (before != null && (key.isEmpty() || !before.key().equals(key))) {
      checks.broken(Invariant.JOB_LOST, "job %d is the answer to two submissions".formatted(job));
    }
    if (!key.isEmpty()) {
      @Nullable Long first = byKey.putIfAbsent(user + "/" + key, job);
      if (first != null && first != job) {
        checks.broken(
            Invariant.KEY_USED_TWICE,
            "key %s of %s gave jobs %d and %d".formatted(key, user, first, job));
      }
    }
  }

  Map<Long, Accepted> accepted() {
    return accepted;
  }

  /** Somebody who may asks for a cancel: from now on the job may be cancelled. */
  void cancelSent(long job) {
    cancelsSent.add(job);
  }

  boolean mayBeCancelled(long job) {
    return cancelsSent.contains(job);
  }

  /**
   * A cancel was acknowledged.
   *
   * @param attempt the last that may run
   */
  void cancelled(long job, int attempt, double nowSeconds, boolean force) {
    cancelled.putIfAbsent(job, new Cancelled(attempt, nowSeconds, force));
  }

  /** How long a job that was cancelled may still take to end, of what it asked for. */
  double graceSeconds(long job, double askedSeconds) {
    @Nullable Cancelled promise = cancelled.get(job);
    return promise != null && promise.force() ? 0 : askedSeconds;
  }

  /** A user was refused a job because of a limit, which must be one that is reached. */
  void refused(String user) {
    checks.refused(user);
  }

  /** The last attempt of a job that may run. */
  int lastAttempt(long job) {
    @Nullable Cancelled promise = cancelled.get(job);
    return promise == null ? Integer.MAX_VALUE : promise.attempt();
  }

  /** When a cancel of a job was acknowledged; infinite: never. */
  double cancelledSeconds(long job) {
    @Nullable Cancelled promise = cancelled.get(job);
    return promise == null ? Double.POSITIVE_INFINITY : promise.seconds();
  }

  /**
   * A drain was acknowledged.
   *
   * @param resumesBefore {@link #resumes} when it was sent: after another one nobody knows which of
   *     the two came last
   */
  void drained(String node, int resumesBefore) {
    if (resumes(node) == resumesBefore) {
      drained.add(node);
    }
  }

  /** Somebody asks for a node to be taken back: from now on it may be used. */
  void resumeSent(String node) {
    resumes.merge(node, 1, Integer::sum);
    drained.remove(node);
  }

  /** How often somebody asked for that. */
  int resumes(String node) {
    return resumes.getOrDefault(node, 0);
  }

  boolean isDrained(String node) {
    return drained.contains(node);
  }
}
