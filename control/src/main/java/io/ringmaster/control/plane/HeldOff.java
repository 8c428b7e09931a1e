package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait and for which there would be room if no job were pinned. The policy is not shown
 * them, but as long as they wait, the pins that are in their way have a reason.
 */
final class HeldOff {
  private final Set<Long> jobs = new HashSet<>();
  private final TreeMap<Integer, Integer> countByPriority = new TreeMap<>();

  void add(Job job) {
    if (jobs.add(job.id())) {
      countByPriority.merge(job.spec().priority(), 1, Integer::sum);
    }
  }

  void remove(Job job) {
    if (jobs.remove(job.id())) {
      countByPriority.computeIfPresent(job.spec().priority(), (_, n) -> n == 1 ? null : n - 1);
    }
  }

  /** The highest priority among them; null if there is none. */
  @Nullable Integer topPriority() {
    return countByPriority.isEmpty() ? null : countByPriority.lastKey();
  }
}
