package io.ringmaster.policy.placement;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Each free GPU in turn is taken with the chance that exactly enough are taken in the end. */
public final class AtRandom extends ServerRule {
  private final RandomGenerator random;

  public AtRandom(RandomGenerator random) {
    super(false, false);
    this.random = random;
  }

  @Override
  @Nullable Placement across(FreeServers free, Demand demand, int workers, int within) {
    int open = 0;
    for (int s = free.firstWithRoom(0); s >= 0; s = free.firstWithRoom(s + 1)) {
      open += free.workersOfRing(s, demand, within);
    }
    if (open < workers) {
      return null;
    }
    builder.clear();
    int left = workers;
    for (int s = free.firstWithRoom(0); left > 0; s = free.firstWithRoom(s + 1)) {
      int chosen = 0;
      for (int g = free.workersOfRing(s, demand, within); g > 0; g--, open--) {
        chosen += random.nextInt(open) < left - chosen ? 1 : 0;
      }
      if (chosen > 0) {
        builder.add(s, chosen);
        left -= chosen;
      }
    }
    return builder.build();
  }
}
