package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * LWF-kappa on GPUs that one job holds at a time. A job of up to kappa GPUs takes the GPUs with the
 * least load, wherever they are, then by server: idle GPUs have no load, so these are the first
 * ones. A larger job takes servers by the mean load of their GPUs, then by index, and of each all
 * idle GPUs, until it has enough.
 */
public final class LeastWorkFirst extends ServerRule {
  private final Cluster cluster;
  private final int kappa;
  private final InOrder inOrder = new InOrder();
  private final IntToDoubleFunction load;

  /** Servers with an idle GPU, but for those that {@link #leastLoaded} has taken out in order. */
  private final IndexedHeap byLoad = IndexedHeap.ascending();

  private final IntList leastLoaded = new IntList();
  private boolean upToDate;

  /**
   * Prepares the rule.
   *
   * @param load the mean load of a server's GPUs at present
   */
  public LeastWorkFirst(Cluster cluster, int kappa, IntToDoubleFunction load) {
    super(false, false);
    this.cluster = cluster;
    this.kappa = kappa;
    this.load = load;
  }

  /** Time passed, or a job came or went. */
  public void changed() {
    upToDate = false;
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    if (workers <= kappa) {
      return inOrder.across(free, demand, workers, within);
    }
    builder.clear();
    int left = workers;
    for (int i = 0; left > 0; i++) {
      int server = nthLeastLoaded(free, i);
      if (server < 0) {
        return null;
      }
      left = fill(free, demand, within, server, left);
    }
    return builder.build();
  }

  private int nthLeastLoaded(FreeServers free, int n) {
    if (!upToDate) {
      for (int s = 0; s < cluster.size(); s++) {
        if (free.gpus(s) > 0) {
          byLoad.put(s, load.applyAsDouble(s));
        } else {
          byLoad.remove(s);
        }
      }
      leastLoaded.clear();
      upToDate = true;
    }
    while (leastLoaded.size() <= n) {
      if (byLoad.isEmpty()) {
        return -1;
      }
      leastLoaded.add(byLoad.poll());
    }
    return leastLoaded.get(n);
  }
}
