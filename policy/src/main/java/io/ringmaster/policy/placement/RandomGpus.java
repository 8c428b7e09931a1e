package io.ringmaster.policy.placement;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random GPUs, wherever they are. */
public final class RandomGpus extends GpuRule {
  private final RandomGenerator random;
  private int[] candidates = new int[0];
  private int[] room = new int[0];

  public RandomGpus(RandomGenerator random) {
    this.random = random;
  }

  @Override
  boolean choose(Gpus.Offer offer, int[] into) {
    Gpus gpus = offer.gpus();
    if (candidates.length == 0) {
      candidates = new int[gpus.size()];
      room = new int[gpus.servers()];
    }
    int found = 0;
    int most = 0;
    for (int s = 0; s < room.length; s++) {
      int before = found;
      room[s] = offer.room(s);
      int end = gpus.first(s) + gpus.size(s);
      for (int g = gpus.first(s); g < end && room[s] > 0; g++) {
        if (offer.has(g)) {
          candidates[found++] = g;
        }
      }
      most += Math.min(room[s], found - before);
    }
    if (most < into.length) {
      return false;
    }
    for (int i = 0; i < into.length; ) {
      int at = random.nextInt(found);
      int chosen = candidates[at];
      candidates[at] = candidates[--found];
      if (room[gpus.server(chosen)]-- > 0) {
        into[i++] = chosen;
      }
    }
    Arrays.sort(into);
    return true;
  }
}
