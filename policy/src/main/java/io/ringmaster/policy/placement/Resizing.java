package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Sorted;
import io.ringmaster.policy.FreeServers;
import java.util.Comparator;

/** Another number of workers with as few moves as can be. */
public final class Resizing {
  private Resizing() {}

  /** Gives workers up where the job has the fewest. */
  public static Placement shrink(Placement from, int workers) {
    PlacementBuilder builder = new PlacementBuilder();
    int left = workers;
    for (int i : Sorted.by(Comparator.comparingInt(i -> -from.gpus(i)), from.size())) {
      int kept = Math.min(left, from.gpus(i));
      if (kept > 0) {
        builder.add(from.server(i), kept);
        left -= kept;
      }
    }
    return builder.build();
  }

  /**
   * Adds workers on the job's own servers first, then on the tightest server that holds what is
   * left, or else on the roomiest; as many as there is room for.
   */
  public static Placement grow(FreeServers free, Demand demand, Placement from, int workers) {
    PlacementBuilder builder = new PlacementBuilder();
    int left = workers - from.workers();
    for (int i = 0; i < from.size(); i++) {
      int more = Math.min(left, free.workers(from.server(i), demand));
      builder.add(from.server(i), from.gpus(i) + more);
      left -= more;
    }
    Placement onOwn = builder.build();
    for (int server = next(free, demand, builder, left); left > 0 && server >= 0; ) {
      int more = Math.min(left, free.workersOfRing(server, demand, FreeServers.ANYWHERE));
      builder.add(server, more);
      left -= more;
      server = next(free, demand, builder, left);
    }
    Placement grown = builder.build();
    if (!free.reserves(demand)) {
      return grown;
    }
    try (FreeServers.Supposition without = free.suppose()) {
      without.release(from, demand);
      return free.holds(grown, demand) ? grown : onOwn;
    }
  }

  private static int next(FreeServers free, Demand demand, PlacementBuilder builder, int left) {
    int server = free.bestFit(left);
    while (server >= 0
        && (builder.uses(server)
            || free.workersOfRing(server, demand, FreeServers.ANYWHERE) < left)) {
      server = free.nextTightest(server);
    }
    return server >= 0 ? server : builder.roomiestUnused(free, demand, FreeServers.ANYWHERE);
  }
}
