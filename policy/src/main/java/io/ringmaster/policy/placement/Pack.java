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
 * <p>A job stays in one rack if one holds it, the tightest, else in one pod. The rule may be told
 * to consolidate, for networks where it matters whom a ring shares a server with: a ring then
 * leaves a server only for wholly free ones, and for one more that holds the rest.
 */
public final class Pack extends ServerRule {
  private final boolean consolidates;

  /** Takes what there is. */
  public Pack() {
    this(false);
  }

  /** Consolidates if that makes rings faster on a cluster. */
  public Pack(Cluster cluster) {
    this(IterationTime.of(cluster).wholeServersPay());
  }

  private Pack(boolean consolidates) {
    super(true, true);
    this.consolidates = consolidates;
  }

  /** As policies tell it that pack so. */
  public static PlacementRule rule(Settings settings, Cluster cluster, boolean anyElastic) {
    Pack pack = new Pack(cluster);
    return new PlacementRule(
        cluster, (free, demand, workers) -> pack.place(free, demand, workers) != null, false);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    builder.clear();
    int left = workers;
    for (int s = free.freest(within); s >= 0; s = next(free, s, left, within)) {
      int room = free.workersOfRing(s, demand, within);
      if (room >= left) {
        builder.add(tightest(free, demand, left, within), left);
        return builder.build();
      }
      if (room > 0 && !(consolidates && free.gpus(s) < free.cluster().gpus(s))) {
        builder.add(s, room);
        left -= room;
      }
    }
    int last = consolidates ? tightest(free, demand, left, within) : -1;
    if (last < 0) {
      return null;
    }
    builder.add(last, left);
    return builder.build();
  }

  /**
   * The next server by free GPUs. Where those that follow have too few for all that is left, and
   * only wholly free ones are taken for a part of it, the others are passed over at once.
   */
  private int next(FreeServers free, int server, int left, int within) {
    return consolidates && free.gpus(server) < left && free.isWide(within)
        ? free.nextWholeBehind(server)
        : free.nextFreest(server, within);
  }

  /**
   * Best fit among the servers not taken. Those taken have less free than was left then, but may
   * have enough for what is left now: they are the most free, so they are met last.
   */
  private int tightest(FreeServers free, Demand demand, int workers, int within) {
    int server = free.bestFit(workers, within);
    while (server >= 0
        && (builder.uses(server) || free.workersOfRing(server, demand, within) < workers)) {
      server = free.nextTightest(server, within);
    }
    return server;
  }

  @Override
  boolean takesWhole() {
    return consolidates;
  }

  @Override
  public boolean countSuffices() {
    return !consolidates;
  }
}
