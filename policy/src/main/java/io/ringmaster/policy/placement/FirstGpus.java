package io.ringmaster.policy.placement;

/** The first GPUs in the order of servers. */
public final class FirstGpus extends GpuRule {
  @Override
  boolean choose(Gpus.Offer offer, int[] into) {
    Gpus gpus = offer.gpus();
    int found = 0;
    for (int s = 0; s < gpus.servers(); s++) {
      int room = offer.room(s);
      int end = gpus.first(s) + gpus.size(s);
      for (int g = gpus.first(s); g < end && room > 0; g++) {
        if (offer.has(g)) {
          into[found++] = g;
          room--;
          if (found == into.length) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
