package io.ringmaster.policy.placement;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import org.jspecify.annotations.Nullable;

/** GPUs anywhere: most-free servers first, all of each. */
final class Any implements Placer {
  private final PlacementBuilder builder = new PlacementBuilder();

  @Override
  public @Nullable Placement place(FreeServers free, int workers) {
    if (workers > free.total()) {
      return null;
    }
    builder.clear();
    int left = workers;
    for (int s = free.freest(); left > 0; s = free.nextFreest(s)) {
      int taken = Math.min(left, free.gpus(s));
      builder.add(s, taken);
      left -= taken;
    }
    return builder.build();
  }

  @Override
  public boolean countSuffices() {
    return true;
  }
}
