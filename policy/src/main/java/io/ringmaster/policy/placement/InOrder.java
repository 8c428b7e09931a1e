package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/** The first free GPUs in the order of servers. */
public final class InOrder extends ServerRule {
  public InOrder() {
    super(false, false);
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    builder.clear();
    int left = workers;
    for (int s = free.firstWithRoom(0); s >= 0 && left > 0; s = free.firstWithRoom(s + 1)) {
      left = fill(free, demand, within, s, left);
    }
    return left > 0 ? null : builder.build();
  }
}
