package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Between jobs, which know nodes by name, and policies, which know servers by number. */
final class Places {
  private final Cluster cluster;
  private final Map<String, Integer> servers = new HashMap<>();

  Places(Cluster cluster) {
    this.cluster = cluster;
    for (int i = 0; i < cluster.size(); i++) {
      servers.put(cluster.server(i).name(), i);
    }
  }

  /** Whether the cluster has all nodes of an allocation. */
  boolean knows(Allocation allocation) {
    return allocation.shares().stream().allMatch(s -> servers.containsKey(s.node()));
  }

  Placement placement(Allocation allocation) {
    int[] on = new int[allocation.shares().size()];
    int[] gpus = new int[on.length];
    for (int i = 0; i < on.length; i++) {
      Allocation.Share share = allocation.shares().get(i);
      on[i] = Objects.requireNonNull(servers.get(share.node()), share.node());
      gpus[i] = share.gpus();
    }
    return Placement.of(on, gpus);
  }

  Allocation allocation(Placement placement) {
    List<Allocation.Share> shares = new ArrayList<>();
    for (int i = 0; i < placement.size(); i++) {
      shares.add(
          new Allocation.Share(cluster.server(placement.server(i)).name(), placement.gpus(i)));
    }
    return new Allocation(shares);
  }
}
