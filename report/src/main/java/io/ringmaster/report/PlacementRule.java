package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.doubling.Doubling;
import io.ringmaster.policy.ordered.Starter;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.Embedding;
import io.ringmaster.policy.slots.SlottedPolicy;

/**
 * Where a policy puts jobs, as far as a finished schedule can be asked about it. The rules are
 * those that the policies themselves ask.
 */
public final class PlacementRule {
  private final Cluster cluster;
  private final Room room;
  private final boolean holds;

  /** Whether free servers hold so many workers. */
  private interface Room {
    boolean holds(FreeServers free, Demand demand, int workers);
  }

  private PlacementRule(Cluster cluster, Room room, boolean holds) {
    this.cluster = cluster;
    this.room = room;
    this.holds = holds;
  }

  /** The rule of a policy with such settings on a cluster. */
  public static PlacementRule of(PolicySpec spec, Settings settings, Cluster cluster) {
    boolean reserves = settings.has(Starter.RESERVE.name());
    boolean holds = reserves && settings.flag(Starter.RESERVE.name());
    if (cluster.limitsMoreThanGpus()
        || spec.parameters().contains(SlottedPolicy.SLOT)
        || spec.parameters().contains(Doubling.MODE)) {
      Embedding embedding = Embedding.of(cluster);
      return new PlacementRule(
          cluster,
          (free, demand, workers) -> embedding.place(free, demand, workers) != null,
          false);
    }
    if (spec.parameters().contains(Placer.PARAMETER)) {
      return new PlacementRule(cluster, room(Placer.of(settings, cluster)), holds);
    }
    return reserves ? new PlacementRule(cluster, PlacementRule::anywhere, holds) : own(cluster);
  }

  private static Room room(Placer placer) {
    return placer.countSuffices()
        ? PlacementRule::anywhere
        : (free, _, workers) -> placer.place(free, workers) != null;
  }

  /** That of a policy which chooses servers itself: any will do, but it may hold out for better. */
  static PlacementRule own(Cluster cluster) {
    return new PlacementRule(cluster, PlacementRule::anywhere, true);
  }

  private static boolean anywhere(FreeServers free, Demand demand, int workers) {
    return workers <= free.total();
  }

  /** Why a job that waits does not run. */
  WaitReason reason(FreeServers free, Demand demand, int workers) {
    if (workers > free.total() || !enough(free, demand, workers)) {
      return WaitReason.CAPACITY;
    }
    if (!room.holds(free, demand, workers)) {
      return WaitReason.FRAGMENTED;
    }
    return holds && !onFewest(free, workers) ? WaitReason.PLACEMENT : WaitReason.BEHIND;
  }

  /** Whether all servers together have the CPUs and the memory. */
  private boolean enough(FreeServers free, Demand demand, int workers) {
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
    for (int more = cluster.idealPlacement(workers).size(); more > 0 && server >= 0; more--) {
      left -= free.gpus(server);
      server = free.nextFreest(server);
    }
    return left <= 0;
  }
}
