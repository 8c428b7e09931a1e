package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** As many servers as there are: one worker on each, most-free servers first, then round again. */
final class Spread extends ServerRule {
  Spread() {
    super(false, false);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    int[] servers = new int[workers];
    int[] room = new int[workers];
    int used = 0;
    int all = 0;
    for (int s = free.freest(within); s >= 0 && used < workers; s = free.nextFreest(s, within)) {
      int here = free.workersOfRing(s, demand, within);
      if (here > 0) {
        servers[used] = s;
        room[used++] = here;
        all += here;
      }
    }
    if (all < workers) {
      return null;
    }
    int[] counts = new int[used];
    int left = workers;
    for (int round = 1; left > 0; round++) {
      for (int i = 0; i < used && left > 0; i++) {
        if (room[i] >= round) {
          counts[i]++;
          left--;
        }
      }
    }
    return Placement.of(Arrays.copyOf(servers, used), counts);
  }
}
