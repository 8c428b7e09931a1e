package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/**
 * One server if one holds the job, by best fit; else wholly free servers, largest first, and the
 * remainder on one more, the most free; in one rack if one holds it so, else in one pod. A job that
 * would have to share more than that waits. This is the placement of the Helios and Lucid
 * simulators, for servers of any size.
 */
final class Consolidate extends ServerRule {
  Consolidate() {
    super(true, true);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    builder.clear();
    int left = workers;
    for (int s = free.largestWhole(within); s >= 0; s = free.nextWhole(s, within)) {
      int room = free.workersOfRing(s, demand, within);
      if (room == 0) {
        continue;
      }
      builder.add(s, room);
      left -= room;
      if (left > free.gpus(free.freest())) {
        continue;
      }
      int last = builder.roomiestUnused(free, demand, within);
      if (last >= 0 && free.workersOfRing(last, demand, within) >= left) {
        builder.add(last, left);
        return builder.build();
      }
    }
    return null;
  }

  @Override
  boolean takesWhole() {
    return true;
  }

  @Override
  public boolean countSuffices() {
    return false;
  }
}
