package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting jobs a policy is shown. Policies know neither priorities nor quotas, so that every
 * policy obeys both: of a user with a quota, only as many jobs are let in as may run at once; and
 * as long as a job waits, no job of a lower priority is shown.
 */
final class Gate {
  private static final Comparator<Job> ORDER =
      Comparator.comparingInt((Job j) -> -j.spec().priority())
          .thenComparingDouble(Job::eligibleSeconds)
          .thenComparingLong(Job::id);

  private final Map<String, Integer> quotas;
  private final Map<String, Integer> used = new HashMap<>();
  private final Map<String, TreeSet<Job>> queues = new HashMap<>();
  private final Map<Long, Job> admitted = new HashMap<>();

  /** Jobs that the policy has no say in and that still hold GPUs. */
  private final Map<Long, Job> leaving = new HashMap<>();

  private final TreeMap<Integer, LinkedHashMap<Long, Job>> tiers =
      new TreeMap<>(Comparator.reverseOrder());

  /** Jobs that began to wait since the last {@link #sync}. */
  private final List<Job> news = new ArrayList<>();

  private @Nullable Integer shown;

  Gate(Map<String, Integer> quotas) {
    this.quotas = quotas;
  }

  /** What a job counts for. */
  private int size(Job job) {
    return Math.min(job.spec().maxGpus(), quotas.getOrDefault(job.user(), Integer.MAX_VALUE));
  }

  /** A job that waits comes to the gate. */
  void enter(Job job) {
    if (quotas.containsKey(job.user())) {
      queues.computeIfAbsent(job.user(), _ -> new TreeSet<>(ORDER)).add(job);
      admit(job.user());
    } else {
      admitted.put(job.id(), job);
      waits(job.id());
    }
  }

  /** A job that has GPUs already is let in, whatever the quota says now. */
  void enterPlaced(Job job) {
    admitted.put(job.id(), job);
    if (quotas.containsKey(job.user())) {
      used.merge(job.user(), size(job), Integer::sum);
    }
  }

  /** A job that the policy has no say in holds GPUs: they count until it frees them. */
  void holds(Job job) {
    if (quotas.containsKey(job.user()) && leaving.putIfAbsent(job.id(), job) == null) {
      used.merge(job.user(), size(job), Integer::sum);
    }
  }

  void frees(Job job) {
    if (leaving.remove(job.id()) != null) {
      used.merge(job.user(), -size(job), Integer::sum);
      admit(job.user());
    }
  }

  private void admit(String user) {
    TreeSet<Job> queue = queues.get(user);
    int quota = quotas.getOrDefault(user, Integer.MAX_VALUE);
    while (queue != null
        && !queue.isEmpty()
        && used.getOrDefault(user, 0) + size(queue.first()) <= quota) {
      Job job = queue.removeFirst();
      enterPlaced(job);
      waits(job.id());
    }
  }

  /** A job is gone, or its turn is over. */
  void leave(Job job) {
    TreeSet<Job> queue = queues.get(job.user());
    Job known = admitted.remove(job.id());
    if (known != null) {
      placed(job.id(), known);
      if (quotas.containsKey(job.user())) {
        used.merge(job.user(), -size(known), Integer::sum);
        admit(job.user());
      }
    } else if (queue != null) {
      queue.removeIf(j -> j.id() == job.id());
    }
  }

  /** The policy gave a job GPUs. */
  void placed(long job) {
    Job known = admitted.get(job);
    if (known != null) {
      placed(job, known);
    }
  }

  private void placed(long job, Job known) {
    LinkedHashMap<Long, Job> tier = tiers.get(known.spec().priority());
    if (tier != null) {
      tier.remove(job);
      if (tier.isEmpty()) {
        tiers.remove(known.spec().priority());
      }
    }
  }

  /** The policy took a job's GPUs away, or it has just been let in. */
  void waits(long job) {
    Job known = admitted.get(job);
    if (known != null) {
      tiers.computeIfAbsent(known.spec().priority(), _ -> new LinkedHashMap<>()).put(job, known);
      news.add(known);
    }
  }

  /**
   * Brings what is shown in line, looking only at what changed.
   *
   * @param show called for jobs that are to be shown, and may be already
   * @param hide called for jobs that are not to be shown, and may not be
   */
  void sync(Consumer<Job> show, Consumer<Job> hide) {
    @Nullable Integer top = tiers.isEmpty() ? null : tiers.firstKey();
    if (Objects.equals(top, shown)) {
      for (Job job : news) {
        if (isWaiting(job)) {
          (job.spec().priority() == Objects.requireNonNull(top) ? show : hide).accept(job);
        }
      }
    } else {
      news.stream().filter(this::isWaiting).forEach(hide);
      tier(shown).values().forEach(hide);
      tier(top).values().forEach(show);
    }
    shown = top;
    news.clear();
  }

  private boolean isWaiting(Job job) {
    return tier(job.spec().priority()).containsKey(job.id());
  }

  private Map<Long, Job> tier(@Nullable Integer priority) {
    LinkedHashMap<Long, Job> tier = priority == null ? null : tiers.get(priority);
    return tier == null ? Map.of() : tier;
  }

  /** The highest priority that waits; null if nobody waits. */
  @Nullable Integer top() {
    return tiers.isEmpty() ? null : tiers.firstKey();
  }

  /** Why a waiting job is not shown, in words; null if it is. */
  @Nullable String why(Job job) {
    if (!admitted.containsKey(job.id())) {
      return "%s has a quota of %d GPUs, and jobs for %d are let in before this one"
          .formatted(
              job.user(), quotas.getOrDefault(job.user(), 0), used.getOrDefault(job.user(), 0));
    }
    if (tiers.isEmpty() || job.spec().priority() >= tiers.firstKey()) {
      return null;
    }
    int ahead = tier(tiers.firstKey()).size();
    return "%d %s of priority %d %s first"
        .formatted(
            ahead, ahead == 1 ? "job" : "jobs", tiers.firstKey(), ahead == 1 ? "goes" : "go");
  }
}
