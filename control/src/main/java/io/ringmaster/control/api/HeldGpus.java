package io.ringmaster.control.api;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.JobQuery;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which jobs hold how many GPUs of which node. */
final class HeldGpus {
  private static final Set<JobState> HOLDING =
      Arrays.stream(JobState.values())
          .filter(JobState::holdsGpus)
          .collect(Collectors.toUnmodifiableSet());

  private final Map<String, Integer> heldGpus = new HashMap<>();
  private final Map<String, List<Job>> jobs = new HashMap<>();

  private HeldGpus() {}

  static HeldGpus of(Store store) {
    HeldGpus held = new HeldGpus();
    for (Job job : store.jobs(new JobQuery("", HOLDING, Long.MAX_VALUE, Integer.MAX_VALUE))) {
      if (job.held() != null) {
        for (Allocation.Share share : job.held().shares()) {
          held.heldGpus.merge(share.node(), share.gpus(), Integer::sum);
          held.jobs.computeIfAbsent(share.node(), name -> new ArrayList<>()).add(job);
        }
      }
    }
    return held;
  }

  int held(String node) {
    return heldGpus.getOrDefault(node, 0);
  }

  /** Ids of the jobs on a node that a caller may see. */
  List<Long> jobs(String node, Caller caller) {
    return jobs.getOrDefault(node, List.of()).stream()
        .filter(job -> caller.sees(job.user()))
        .map(Job::id)
        .sorted(Comparator.naturalOrder())
        .toList();
  }
}
