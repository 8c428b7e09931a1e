package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Topology;
import io.ringmaster.model.collect.IntList;

/**
 * What is free in each rack and pod, known by its switch, and its servers in the orders that
 * placement rules go through. A rack has few servers, so these are looked through one by one.
 */
public final class FreeInside {
  private static final int NONE = -1;

  private final Cluster cluster;
  private final Topology topology;

  /** Of each server: that of {@link FreeServers}, which changes it. */
  private final int[] free;

  /** Free GPUs below each switch, and those of wholly free servers alone. */
  private final int[] gpus;

  private final int[] wholeGpus;
  private int allWholeGpus;
  private final IntList candidates = new IntList();

  FreeInside(Cluster cluster, int[] free) {
    this.cluster = cluster;
    this.topology = cluster.topology();
    this.free = free;
    this.gpus = new int[topology.switches()];
    this.wholeGpus = new int[topology.switches()];
  }

  FreeInside(FreeInside other, int[] free) {
    this.cluster = other.cluster;
    this.topology = other.topology;
    this.free = free;
    this.gpus = other.gpus.clone();
    this.wholeGpus = other.wholeGpus.clone();
    this.allWholeGpus = other.allWholeGpus;
  }

  /** A server has another number of free GPUs than before. */
  void changed(int server, int before) {
    int by = free[server] - before;
    int all = cluster.gpus(server);
    int wholeBy = (free[server] == all ? all : 0) - (before == all ? all : 0);
    allWholeGpus += wholeBy;
    int rack = topology.rack(server);
    gpus[rack] += by;
    wholeGpus[rack] += wholeBy;
    if (topology.hasPods()) {
      int pod = topology.pod(server);
      gpus[pod] += by;
      wholeGpus[pod] += wholeBy;
    }
  }

  /**
   * Racks and pods that may hold so many workers: racks first, those with the fewest free GPUs
   * first, then pods so. For reading until this is called again.
   *
   * @param whole whether only wholly free servers and one more may be taken
   */
  public IntList candidates(int workers, boolean whole) {
    candidates.clear();
    for (int which = 0; which < gpus.length; which++) {
      if (gpus[which] >= workers && (!whole || suffice(wholeGpus[which], workers))) {
        add(which);
      }
    }
    return candidates;
  }

  /** Whether so many workers may find wholly free servers and one more at all. */
  public boolean mayHoldOnWhole(int workers) {
    return suffice(allWholeGpus, workers);
  }

  /** A server that is not wholly free has fewer GPUs free than the largest has. */
  private boolean suffice(int whole, int workers) {
    return whole + cluster.maxServerGpus() > workers;
  }

  private void add(int which) {
    candidates.add(which);
    for (int i = candidates.size() - 1; i > 0 && comesBefore(which, candidates.get(i - 1)); i--) {
      candidates.set(i, candidates.get(i - 1));
      candidates.set(i - 1, which);
    }
  }

  private boolean comesBefore(int which, int other) {
    return topology.isRack(which) == topology.isRack(other) && gpus[which] < gpus[other];
  }

  int freest(int within) {
    return next(within, Order.FREEST, NONE);
  }

  int nextFreest(int server, int within) {
    return next(within, Order.FREEST, key(Order.FREEST, server));
  }

  int bestFit(int workers, int within) {
    return next(within, Order.TIGHTEST, ((long) workers << 32) - 1);
  }

  int nextTightest(int server, int within) {
    return next(within, Order.TIGHTEST, key(Order.TIGHTEST, server));
  }

  int largestWhole(int within) {
    return next(within, Order.LARGEST_WHOLE, NONE);
  }

  int nextWhole(int server, int within) {
    return next(within, Order.LARGEST_WHOLE, key(Order.LARGEST_WHOLE, server));
  }

  private enum Order {
    FREEST,
    TIGHTEST,
    LARGEST_WHOLE
  }

  /** The order of a server: the number that counts, then its index. */
  private long key(Order order, int server) {
    int count = order == Order.TIGHTEST ? free[server] : cluster.maxServerGpus() - free[server];
    return ((long) count << 32) | server;
  }

  private int next(int within, Order order, long after) {
    long best = Long.MAX_VALUE;
    int members = topology.size(within);
    for (int i = 0; i < members; i++) {
      int server = topology.member(within, i);
      if (free[server] > 0
          && (order != Order.LARGEST_WHOLE || free[server] == cluster.gpus(server))) {
        long key = key(order, server);
        if (key > after && key < best) {
          best = key;
        }
      }
    }
    return best == Long.MAX_VALUE ? NONE : (int) best;
  }
}
