package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.settings.Settings;

/**
 * Where a policy puts jobs, as far as others can ask: what it would do with free servers, though
 * not in which order.
 *
 * @param room whether its rule finds servers for a job among those that are free
 * @param holdsOut it may let a job wait though there is room, for a better place
 */
public record PlacementRule(Cluster cluster, Fit room, boolean holdsOut) {

  /** Whether free servers hold so many workers of a demand. */
  @FunctionalInterface
  public interface Fit {
    boolean holds(FreeServers free, Demand demand, int workers);
  }

  /** What tells the rule of a policy with such settings on a cluster. */
  @FunctionalInterface
  public interface Teller {
    /**
     * The rule.
     *
     * @param anyElastic whether any job may have another number of workers than it asks for
     */
    PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic);
  }

  /** Any GPUs will do. */
  public static final Fit ANYWHERE = PlacementRule::anywhere;

  /** The rule of a policy that weighs places itself: any GPUs will do, but it may hold out. */
  public static PlacementRule ownSearch(Settings settings, Cluster cluster, boolean anyElastic) {
    return new PlacementRule(cluster, ANYWHERE, true);
  }

  /** Why a job that waits does not run, as far as can be told from what is free. */
  public WaitReason reason(FreeServers free, Demand demand, int workers) {
    if (workers > free.total() || !enough(free, demand, workers)) {
      return WaitReason.CAPACITY;
    }
    if (!room.holds(free, demand, workers)) {
      return WaitReason.FRAGMENTED;
    }
    return holdsOut && !onFewest(free, workers) ? WaitReason.PLACEMENT : WaitReason.BEHIND;
  }

  /** Whether the servers that a ring may use hold it together, or one server holds it. */
  private static boolean anywhere(FreeServers free, Demand demand, int workers) {
    if (demand.isNone()) {
      return workers <= free.total();
    }
    int found = 0;
    for (int s = free.firstWithRoom(0); s >= 0 && found < workers; s = free.firstWithRoom(s + 1)) {
      if (free.workers(s, demand) >= workers) {
        return true;
      }
      found += free.workersOfRing(s, demand);
    }
    return found >= workers;
  }

  /** Whether all servers together have the CPUs and the memory. */
  private static boolean enough(FreeServers free, Demand demand, int workers) {
    if (demand.isNone()) {
      return true;
    }
    int found = 0;
    for (int s = free.firstWithRoom(0); s >= 0 && found < workers; s = free.firstWithRoom(s + 1)) {
      found += free.workers(s, demand);
    }
    return found >= workers;
  }

  /** Whether it fits on as few servers as an empty cluster allows. */
  private boolean onFewest(FreeServers free, int workers) {
    int left = workers;
    int server = free.freest();
    for (int more = cluster.fewestServers(workers); more > 0 && server >= 0; more--) {
      left -= free.gpus(server);
      server = free.nextFreest(server);
    }
    return left <= 0;
  }
}
