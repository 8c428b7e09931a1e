package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/**
 * One server if one holds the job, by best fit; else wholly free servers, largest first, and the
 * remainder on one more, the most free. A job that would have to share more than that waits. This
 * is the placement of the Helios and Lucid simulators, for servers of any size.
 */
final class Consolidate extends ServerRule {
  Consolidate() {
    super(true, false);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int rack) {
    builder.clear();
    int left = workers;
    for (int s = free.largestWhole(); s >= 0; s = free.nextWhole(s)) {
      int room = free.workersOfRing(s, demand, rack);
      if (room == 0) {
        continue;
      }
      builder.add(s, room);
      left -= room;
      if (left > free.gpus(free.freest())) {
        continue;
      }
      int last = builder.roomiestUnused(free, demand, rack);
      if (last >= 0 && free.workersOfRing(last, demand, rack) >= left) {
        builder.add(last, left);
        return builder.build();
      }
    }
    return null;
  }

  @Override
  public boolean countSuffices() {
    return false;
  }
}
