package io.ringmaster.policy.placement;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/**
 * One server if one holds the job, by best fit; else wholly free servers, largest first, and the
 * remainder on one more, the most free. A job that would have to share more than that waits. This
 * is the placement of the Helios and Lucid simulators, for servers of any size.
 */
final class Consolidate implements Placer {
  private final PlacementBuilder builder = new PlacementBuilder();

  @Override
  public @Nullable Placement place(FreeServers free, int workers) {
    if (workers > free.total()) {
      return null;
    }
    int server = free.bestFit(workers);
    if (server >= 0) {
      return Placement.on(server, workers);
    }
    builder.clear();
    int left = workers;
    for (int s = free.largestWhole(); s >= 0; s = free.nextWhole(s)) {
      builder.add(s, free.gpus(s));
      left -= free.gpus(s);
      if (left > free.gpus(free.freest())) {
        continue;
      }
      int last = freestUnused(free);
      if (last >= 0 && free.gpus(last) >= left) {
        builder.add(last, left);
        return builder.build();
      }
    }
    return null;
  }

  private int freestUnused(FreeServers free) {
    int server = free.freest();
    while (server >= 0 && builder.uses(server)) {
      server = free.nextFreest(server);
    }
    return server;
  }

  @Override
  public boolean countSuffices() {
    return false;
  }
}
