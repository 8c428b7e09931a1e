package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/** GPUs anywhere: most-free servers first, all of each. */
public final class Any extends ServerRule {
  /** With or without trying a single server first, the tightest. */
  public Any(boolean oneServerFirst) {
    super(oneServerFirst, false);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    builder.clear();
    int left = workers;
    for (int s = free.freest(within); s >= 0 && left > 0; s = free.nextFreest(s, within)) {
      left = fill(free, demand, within, s, left);
    }
    return left > 0 ? null : builder.build();
  }
}
