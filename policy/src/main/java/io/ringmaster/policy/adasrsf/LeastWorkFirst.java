package io.ringmaster.policy.adasrsf;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;

/**
 * LWF-kappa on GPUs that one job holds at a time. A job of up to kappa GPUs takes the GPUs with the
 * least load, wherever they are, then by server: idle GPUs have no load, so these are the first
 * ones. A larger job takes servers by the mean load of their GPUs, then by index, and of each all
 * idle GPUs, until it has enough.
 */
final class LeastWorkFirst {
  private final Cluster cluster;
  private final int kappa;
  private final Occupancy occupancy;
  private final PlacementBuilder builder = new PlacementBuilder();

  /** Servers with an idle GPU, but for those that {@link #leastLoaded} has taken out in order. */
  private final IndexedHeap byLoad = IndexedHeap.ascending();

  private final IntList leastLoaded = new IntList();
  private boolean upToDate;

  LeastWorkFirst(Cluster cluster, int kappa, Occupancy occupancy) {
    this.cluster = cluster;
    this.kappa = kappa;
    this.occupancy = occupancy;
  }

  /** Time passed, or a job came or went. */
  void changed() {
    upToDate = false;
  }

  /** Servers for so many GPUs; there are enough idle ones. */
  Placement place(View view, int gpus) {
    FreeServers free = view.free();
    builder.clear();
    int left = gpus;
    if (gpus <= kappa) {
      for (int s = free.firstWithRoom(0); left > 0; s = free.firstWithRoom(s + 1)) {
        left -= take(free, s, left);
      }
    } else {
      for (int i = 0; left > 0; i++) {
        left -= take(free, nthLeastLoaded(view, i), left);
      }
    }
    return builder.build();
  }

  private int take(FreeServers free, int server, int most) {
    int taken = Math.min(most, free.gpus(server));
    builder.add(server, taken);
    return taken;
  }

  private int nthLeastLoaded(View view, int n) {
    if (!upToDate) {
      for (int s = 0; s < cluster.size(); s++) {
        if (view.free().gpus(s) > 0) {
          byLoad.put(s, occupancy.meanLoadSeconds(view, s));
        } else {
          byLoad.remove(s);
        }
      }
      leastLoaded.clear();
      upToDate = true;
    }
    while (leastLoaded.size() <= n) {
      leastLoaded.add(byLoad.poll());
    }
    return leastLoaded.get(n);
  }
}
