package io.ringmaster.policy.placement;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/**
 * The fewest servers, and among those the tightest: one server by best fit; if none holds the job,
 * the most-free servers whole, and the rest by best fit.
 */
final class Pack implements Placer {
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
    for (int s = free.freest(); left > 0; s = free.nextFreest(s)) {
      if (free.gpus(s) >= left) {
        builder.add(tightest(free, left), left);
        break;
      }
      builder.add(s, free.gpus(s));
      left -= free.gpus(s);
    }
    return builder.build();
  }

  /**
   * Best fit among the servers not taken. Those taken have less free than was left then, but may
   * have enough for what is left now: they are the most free, so they are met last.
   */
  private int tightest(FreeServers free, int gpus) {
    int server = free.bestFit(gpus);
    while (builder.uses(server)) {
      server = free.nextTightest(server);
    }
    return server;
  }

  @Override
  public boolean countSuffices() {
    return true;
  }
}
