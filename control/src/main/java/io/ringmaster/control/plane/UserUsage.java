package io.ringmaster.control.plane;

import static io.ringmaster.control.plane.BrokenInvariant.Invariant.USER_USAGE;
import static io.ringmaster.control.plane.BrokenInvariant.unless;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.store.Token.Role;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** What each user takes of the plane, and whether it may be more. */
final class UserUsage {
  private final UserLimits limits;
  private final Map<String, Usage> used = new HashMap<>();

  /** Jobs that have not ended, and the bytes of what they were asked for with. */
  private record Usage(int jobs, long bytes) {
    static final Usage NOTHING = new Usage(0, 0);
  }

  UserUsage(UserLimits limits, Collection<Job> open) {
    this.limits = limits;
    open.forEach(this::opened);
  }

  void opened(Job job) {
    count(job, 1);
  }

  void ended(Job job) {
    count(job, -1);
  }

  private void count(Job job, int sign) {
    Usage before = used.getOrDefault(job.user(), Usage.NOTHING);
    Usage after =
        new Usage(before.jobs() + sign, before.bytes() + sign * job.spec().approximateBytes());
    if (after.equals(Usage.NOTHING)) {
      used.remove(job.user());
    } else {
      used.put(job.user(), after);
    }
  }

  /**
   * Looks whether a user may submit a job.
   *
   * @throws Refused if not, with the limit, what is used of it, and what to do
   */
  void check(String user, Role role, JobSpec spec) {
    boolean isAdmin = role == Role.ADMIN;
    String who = isAdmin ? "an admin" : "a user";
    checkPriority(role, spec.priority());
    if (spec.graceSeconds() > limits.mostGraceSeconds(isAdmin)) {
      throw new Refused(
          Refused.Kind.FORBIDDEN,
          "grace_s: %s is above the longest that %s may ask for, %s; save more often, and ask for less%s"
              .formatted(
                  number(spec.graceSeconds()),
                  who,
                  number(limits.mostGraceSeconds(isAdmin)),
                  isAdmin ? "" : ", or ask an admin to submit it"));
    }
    Usage now = used.getOrDefault(user, Usage.NOTHING);
    if (now.jobs() >= limits.openJobs()) {
      throw new Refused(
          Refused.Kind.TOO_MANY,
          "%s has %d jobs that have not ended, and may have %d; submit again when some have ended, or cancel some"
              .formatted(user, now.jobs(), limits.openJobs()));
    }
    long bytes = spec.approximateBytes();
    if (now.bytes() + bytes > limits.specBytes()) {
      throw new Refused(
          Refused.Kind.TOO_MANY,
          "this job is described in %.2f MB, %s's jobs that have not ended in %.2f MB, and all may take %.2f MB; put long arguments into files, or submit again when some have ended"
              .formatted(bytes * 1e-6, user, now.bytes() * 1e-6, limits.specBytes() * 1e-6));
    }
  }

  /**
   * Looks whether somebody may give a job this priority.
   *
   * @throws Refused if not
   */
  void checkPriority(Role role, int priority) {
    boolean isAdmin = role == Role.ADMIN;
    if (priority > limits.mostPriority(isAdmin)) {
      throw new Refused(
          Refused.Kind.FORBIDDEN,
          "priority: %d is above the highest that %s may ask for, %d; ask for less%s"
              .formatted(
                  priority,
                  isAdmin ? "an admin" : "a user",
                  limits.mostPriority(isAdmin),
                  isAdmin ? "" : ", or ask an admin to submit it"));
    }
  }

  /** Whether a user has as many open jobs as are allowed, for a job that nobody can be refused. */
  boolean isFull(String user, JobSpec spec) {
    Usage now = used.getOrDefault(user, Usage.NOTHING);
    return now.jobs() >= limits.openJobs()
        || now.bytes() + spec.approximateBytes() > limits.specBytes();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? "%.0f".formatted(value) : String.valueOf(value);
  }

  /**
   * Looks whether all jobs add up to what is known.
   *
   * @throws BrokenInvariant if not
   */
  void checkAll(Collection<Job> open) {
    Map<String, Usage> counted = new UserUsage(limits, open).used;
    unless(used.equals(counted), USER_USAGE, "%s counted, %s is", used, counted);
  }
}
