package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.job.Allocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Which pod of a gang goes to which of the nodes that it was given. */
final class Places {
  private final ClusterSight cluster;

  Places(ClusterSight cluster) {
    this.cluster = cluster;
  }

  /** Pods in the order of ranks, on nodes in the order of the ring; empty: that cannot be. */
  List<Target> targets(Gang gang, Allocation allocation) {
    List<PodSight> workers = gang.workers();
    int each = gang.gpusOfEach();
    List<Target> targets = new ArrayList<>();
    int next = 0;
    for (Allocation.Share share : allocation.shares()) {
      for (int left = share.gpus(); left > 0; left -= each) {
        if (each < 1 || left < each || next >= workers.size()) {
          return List.of();
        }
        targets.add(target(workers.get(next++), share.node()));
      }
    }
    for (PodSight pod : gang.pods()) {
      if (pod.requests().gpus() == 0) {
        String node = beside(pod, allocation);
        if (node.isEmpty()) {
          return List.of();
        }
        targets.add(target(pod, node));
      }
    }
    return targets;
  }

  /** Where a pod without GPUs goes: beside the others if it may, or else anywhere. */
  private String beside(PodSight pod, Allocation allocation) {
    Map<String, Load> loads = cluster.loads();
    return Stream.concat(
            allocation.shares().stream().map(share -> cluster.node(share.node())),
            cluster.nodes().stream().sorted(Comparator.comparing(NodeSight::name)))
        .filter(Objects::nonNull)
        .filter(node -> node.whyClosed().isEmpty() && Gang.theirs(pod).pod().allows(node.kube()))
        .filter(
            node -> node.hasRoom(loads.getOrDefault(node.name(), Load.NOTHING).plus(Load.of(pod))))
        .map(NodeSight::name)
        .findFirst()
        .orElse("");
  }

  /** Pods without GPUs that are made once the others run, as a launcher may be, are of it too. */
  List<Target> late(Gang gang, AttemptRecord record) {
    Allocation allocation = record.allocation;
    List<Target> late = new ArrayList<>();
    for (PodSight pod : gang.pods()) {
      boolean isLate =
          pod.requests().gpus() == 0 && pod.node().isEmpty() && !record.uids.contains(pod.uid());
      if (allocation != null && isLate && !pod.isLeaving() && Gang.theirs(pod).whyNot().isEmpty()) {
        String node = beside(pod, allocation);
        if (!node.isEmpty()) {
          late.add(target(pod, node));
        }
      }
    }
    return late;
  }

  private static Target target(PodSight pod, String node) {
    return new Target(pod.namespace(), pod.name(), pod.uid(), node);
  }
}
