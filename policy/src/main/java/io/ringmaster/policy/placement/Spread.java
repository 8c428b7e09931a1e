package io.ringmaster.policy.placement;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/** As many servers as there are: one worker on each, most-free servers first, then round again. */
final class Spread implements Placer {
  @Override
  public @Nullable Placement place(FreeServers free, int workers) {
    if (workers > free.total()) {
      return null;
    }
    int[] servers = new int[workers];
    int used = 0;
    for (int s = free.freest(); s >= 0 && used < workers; s = free.nextFreest(s)) {
      servers[used++] = s;
    }
    int[] counts = new int[used];
    int left = workers;
    for (int round = 1; left > 0; round++) {
      for (int i = 0; i < used && left > 0; i++) {
        if (free.gpus(servers[i]) >= round) {
          counts[i]++;
          left--;
        }
      }
    }
    return Placement.of(java.util.Arrays.copyOf(servers, used), counts);
  }

  @Override
  public boolean countSuffices() {
    return true;
  }
}
