package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeInside;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/**
 * A rule that takes servers one after the other, and of each as many workers as it has room for.
 * Rings that reserve a part of links need more than that: such a ring stays in one rack or pod if
 * one holds it; else it goes through all whose uplinks hold it; and inside one server, where it
 * reserves nothing, if no links do.
 */
abstract class ServerRule implements Placer {
  final PlacementBuilder builder = new PlacementBuilder();
  private final boolean oneServerFirst;
  private final boolean fewestTiers;

  /**
   * Prepares a rule.
   *
   * @param oneServerFirst by best fit, if one holds the job
   * @param fewestTiers in one rack if one holds the job, the tightest, else in one pod; also for
   *     rings that reserve nothing
   */
  ServerRule(boolean oneServerFirst, boolean fewestTiers) {
    this.oneServerFirst = oneServerFirst;
    this.fewestTiers = fewestTiers;
  }

  /**
   * Room on one or more servers, or null.
   *
   * @param within the rack or pod to stay in, or {@link FreeServers#ANYWHERE}
   */
  abstract @Nullable Placement across(FreeServers free, Demand demand, int workers, int within);

  @Override
  public final @Nullable Placement place(FreeServers free, Demand demand, int workers) {
    if (workers > free.total()) {
      return null;
    }
    Placement found = oneServerFirst ? onOne(free, demand, workers) : null;
    boolean reserves = free.reserves(demand);
    FreeInside inside = free.inside();
    if (found == null && inside != null && takesWhole() && !inside.mayHoldOnWhole(workers)) {
      return null;
    }
    if (found == null && (fewestTiers || reserves) && inside != null) {
      IntList candidates = inside.candidates(workers, takesWhole());
      for (int i = 0; found == null && i < candidates.size(); i++) {
        found = across(free, demand, workers, candidates.get(i));
      }
    }
    if (found == null) {
      found = across(free, demand, workers, FreeServers.ANYWHERE);
    }
    return found == null && reserves && !oneServerFirst ? onOne(free, demand, workers) : found;
  }

  /** Whether a job on several servers has all of them for itself but one. */
  boolean takesWhole() {
    return false;
  }

  private static @Nullable Placement onOne(FreeServers free, Demand demand, int workers) {
    int server = free.bestFit(workers, demand);
    return server < 0 ? null : Placement.on(server, workers);
  }

  /** Takes as many workers as a server has room for; returns how many are left. */
  final int fill(FreeServers free, Demand demand, int within, int server, int left) {
    int taken = Math.min(left, free.workersOfRing(server, demand, within));
    if (taken > 0) {
      builder.add(server, taken);
    }
    return left - taken;
  }
}
