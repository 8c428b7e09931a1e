package io.ringmaster.policy.batch;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random GPUs, wherever they are. */
final class RandomGpus implements GpuRule {
  private final RandomGenerator random;
  private int[] candidates = new int[0];

  RandomGpus(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into) {
    if (candidates.length == 0) {
      candidates = new int[gpus.size()];
    }
    int found = 0;
    for (int g = 0; g < gpus.size(); g++) {
      if ((anyGpu || !gpus.busy(g)) && gpus.plannedSeconds(g) + seconds <= limit) {
        candidates[found++] = g;
      }
    }
    if (found < into.length) {
      return false;
    }
    for (int i = 0; i < into.length; i++) {
      int at = random.nextInt(found);
      into[i] = candidates[at];
      candidates[at] = candidates[--found];
    }
    Arrays.sort(into);
    return true;
  }
}
