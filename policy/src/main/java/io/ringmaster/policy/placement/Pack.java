package io.ringmaster.policy.placement;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.PlacementRule;
import org.jspecify.annotations.Nullable;

/**
 * The fewest servers, and among those the tightest: one server by best fit; if none holds the job,
 * the most-free servers whole, and the rest by best fit.
 *
 * <p>It may be told to try one rack before all, the tightest; and to consolidate, for networks
 * where it matters whom a ring shares a server with: a ring then leaves a server only for wholly
 * free ones, and for one more that holds the rest.
 */
public final class Pack extends ServerRule {
  private final boolean consolidates;

  Pack() {
    this(false, false);
  }

  private Pack(boolean oneRackFirst, boolean consolidates) {
    super(true, oneRackFirst);
    this.consolidates = consolidates;
  }

  /** One rack before all. */
  public static Pack byRack() {
    return new Pack(true, false);
  }

  /** One rack before all, and whole servers if that makes rings faster on a cluster. */
  public static Pack byRack(Cluster cluster) {
    return new Pack(true, IterationTime.of(cluster).wholeServersPay());
  }

  /** As policies tell it that place by rack. */
  public static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    Pack pack = byRack(cluster);
    return new PlacementRule(
        cluster, (free, demand, workers) -> pack.place(free, demand, workers) != null, false);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int rack) {
    builder.clear();
    int left = workers;
    for (int s = free.freest(); s >= 0; s = free.nextFreest(s)) {
      int room = free.workersOfRing(s, demand, rack);
      if (room >= left) {
        builder.add(tightest(free, demand, left, rack), left);
        return builder.build();
      }
      if (room > 0 && !(consolidates && free.gpus(s) < free.cluster().gpus(s))) {
        builder.add(s, room);
        left -= room;
      }
    }
    int last = consolidates ? tightest(free, demand, left, rack) : -1;
    if (last < 0) {
      return null;
    }
    builder.add(last, left);
    return builder.build();
  }

  /**
   * Best fit among the servers not taken. Those taken have less free than was left then, but may
   * have enough for what is left now: they are the most free, so they are met last.
   */
  private int tightest(FreeServers free, Demand demand, int workers, int rack) {
    int server = free.bestFit(workers);
    while (server >= 0
        && (builder.uses(server) || free.workersOfRing(server, demand, rack) < workers)) {
      server = free.nextTightest(server);
    }
    return server;
  }

  @Override
  public boolean countSuffices() {
    return !consolidates;
  }
}
