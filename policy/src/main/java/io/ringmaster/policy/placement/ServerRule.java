package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/**
 * A rule that takes servers one after the other, and of each as many workers as it has room for.
 * Rings that reserve a part of links need more than that: such a ring stays in one rack if one
 * holds it, the tightest; else it goes through all racks whose uplinks hold it; and inside one
 * server, where it reserves nothing, if no links do.
 */
abstract class ServerRule implements Placer {
  final PlacementBuilder builder = new PlacementBuilder();
  private final boolean oneServerFirst;
  private final boolean oneRackFirst;

  /**
   * Prepares a rule.
   *
   * @param oneServerFirst by best fit, if one holds the job
   * @param oneRackFirst also for rings that reserve nothing
   */
  ServerRule(boolean oneServerFirst, boolean oneRackFirst) {
    this.oneServerFirst = oneServerFirst;
    this.oneRackFirst = oneRackFirst;
  }

  /**
   * Room on one or more servers, or null.
   *
   * @param rack the one to stay in, or {@link FreeServers#ANY_RACK}
   */
  abstract @Nullable Placement across(FreeServers free, Demand demand, int workers, int rack);

  @Override
  public final @Nullable Placement place(FreeServers free, Demand demand, int workers) {
    if (workers > free.total()) {
      return null;
    }
    Placement found = oneServerFirst ? onOne(free, demand, workers) : null;
    boolean reserves = free.reserves(demand);
    if (found == null && (oneRackFirst || reserves) && !free.cluster().racks().isEmpty()) {
      int rack = tightestRack(free, demand, workers);
      found = rack < 0 ? null : across(free, demand, workers, rack);
    }
    if (found == null) {
      found = across(free, demand, workers, FreeServers.ANY_RACK);
    }
    return found == null && reserves && !oneServerFirst ? onOne(free, demand, workers) : found;
  }

  private static @Nullable Placement onOne(FreeServers free, Demand demand, int workers) {
    int server = free.bestFit(workers, demand);
    return server < 0 ? null : Placement.on(server, workers);
  }

  private static int tightestRack(FreeServers free, Demand demand, int workers) {
    int[] room = new int[free.cluster().racks().size()];
    for (int s = free.firstWithRoom(0); s >= 0; s = free.firstWithRoom(s + 1)) {
      int rack = free.cluster().topology().rack(s);
      room[rack] += free.workersOfRing(s, demand, rack);
    }
    int best = -1;
    for (int r = 0; r < room.length; r++) {
      if (room[r] >= workers && (best < 0 || room[r] < room[best])) {
        best = r;
      }
    }
    return best;
  }

  /** Takes as many workers as a server has room for; returns how many are left. */
  final int fill(FreeServers free, Demand demand, int rack, int server, int left) {
    int taken = Math.min(left, free.workersOfRing(server, demand, rack));
    if (taken > 0) {
      builder.add(server, taken);
    }
    return left - taken;
  }
}
