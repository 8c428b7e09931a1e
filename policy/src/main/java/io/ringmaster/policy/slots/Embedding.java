package io.ringmaster.policy.slots;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.placement.PlacementBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Where a ring goes: on one server if one holds it, the tightest; else on the freest servers of the
 * tightest rack that holds it; else on the freest of all racks. Servers and racks whose link is
 * reserved up are passed over.
 *
 * <p>It may be told to consolidate, for networks where it matters whom a ring shares a server with:
 * a ring then leaves a server only for wholly free ones, and for one more that holds the rest.
 */
public final class Embedding {
  private final Cluster cluster;
  private final boolean consolidates;
  private final PlacementBuilder builder = new PlacementBuilder();

  public Embedding(Cluster cluster) {
    this(cluster, false);
  }

  private Embedding(Cluster cluster, boolean consolidates) {
    this.cluster = cluster;
    this.consolidates = consolidates;
  }

  /** Consolidates if that makes rings faster on a cluster. */
  public static Embedding of(Cluster cluster) {
    return new Embedding(cluster, IterationTime.of(cluster).wholeServersPay());
  }

  /** As policies tell it that place by it. */
  public static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    Embedding embedding = of(cluster);
    return new PlacementRule(
        cluster, (free, demand, workers) -> embedding.place(free, demand, workers) != null, false);
  }

  /** Room for so many workers, or null if there is none. */
  public @Nullable Placement place(FreeServers free, Demand demand, int workers) {
    if (workers > free.total()) {
      return null;
    }
    int server = free.bestFit(workers);
    while (server >= 0 && free.workers(server, demand) < workers) {
      server = free.nextTightest(server);
    }
    if (server >= 0) {
      return Placement.on(server, workers);
    }
    if (!cluster.racks().isEmpty()) {
      int rack = tightestRack(free, demand, workers);
      Placement inside = rack < 0 ? null : across(free, demand, workers, rack);
      if (inside != null) {
        return inside;
      }
    }
    return across(free, demand, workers, -1);
  }

  /**
   * Room for as many workers as there is, within a range; null if there is none for the least. What
   * holds some workers holds fewer, so the number is found by halving.
   */
  public @Nullable Placement most(FreeServers free, Demand demand, int least, int most) {
    int high = Math.min(most, free.total());
    if (high < least) {
      return null;
    }
    Placement best = place(free, demand, high);
    if (best != null || high == least) {
      return best;
    }
    best = place(free, demand, least);
    int low = least;
    while (best != null && high - low > 1) {
      int middle = (low + high) >>> 1;
      Placement placement = place(free, demand, middle);
      if (placement == null) {
        high = middle;
      } else {
        low = middle;
        best = placement;
      }
    }
    return best;
  }

  private int tightestRack(FreeServers free, Demand demand, int workers) {
    int[] room = new int[cluster.racks().size()];
    for (int s = free.firstWithRoom(0); s >= 0; s = free.firstWithRoom(s + 1)) {
      room[cluster.topology().rack(s)] += free.workersOfRing(s, demand);
    }
    int best = -1;
    for (int r = 0; r < room.length; r++) {
      if (room[r] >= workers && (best < 0 || room[r] < room[best])) {
        best = r;
      }
    }
    return best;
  }

  /** On the freest servers, and the rest on the tightest that holds it. */
  private @Nullable Placement across(FreeServers free, Demand demand, int workers, int rack) {
    builder.clear();
    int left = workers;
    for (int s = free.freest(); s >= 0; s = free.nextFreest(s)) {
      int room = room(free, demand, s, rack);
      if (room >= left) {
        builder.add(tightest(free, demand, left, rack), left);
        return builder.build();
      }
      if (room > 0 && !(consolidates && free.gpus(s) < cluster.gpus(s))) {
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

  private int room(FreeServers free, Demand demand, int server, int rack) {
    int own = cluster.topology().rack(server);
    boolean open = rack < 0 ? free.leavesRack(own, demand) : own == rack;
    return open ? free.workersOfRing(server, demand) : 0;
  }

  private int tightest(FreeServers free, Demand demand, int workers, int rack) {
    int server = free.bestFit(workers);
    while (server >= 0 && (builder.uses(server) || room(free, demand, server, rack) < workers)) {
      server = free.nextTightest(server);
    }
    return server;
  }
}
