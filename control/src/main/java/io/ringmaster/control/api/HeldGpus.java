package io.ringmaster.control.api;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.store.Holder;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which jobs hold how many GPUs of which node. */
final class HeldGpus {
  private final Map<String, Integer> heldGpus = new HashMap<>();
  private final Map<String, List<Holder>> jobs = new HashMap<>();

  private HeldGpus() {}

  static HeldGpus of(Store store) {
    HeldGpus held = new HeldGpus();
    for (Holder holder : store.holders()) {
      for (Allocation.Share share : holder.held().shares()) {
        held.heldGpus.merge(share.node(), share.gpus(), Integer::sum);
        held.jobs.computeIfAbsent(share.node(), name -> new ArrayList<>()).add(holder);
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
        .filter(holder -> caller.sees(holder.user()))
        .map(Holder::job)
        .sorted(Comparator.naturalOrder())
        .toList();
  }
}
