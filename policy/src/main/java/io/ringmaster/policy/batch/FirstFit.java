package io.ringmaster.policy.batch;

/** The first GPUs in the order of servers. */
final class FirstFit implements GpuRule {
  @Override
  public boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into) {
    int found = 0;
    for (int s = 0; s < gpus.servers(); s++) {
      if (!anyGpu && gpus.idleOn(s) == 0) {
        continue;
      }
      int end = gpus.first(s) + gpus.size(s);
      for (int g = gpus.first(s); g < end; g++) {
        if ((anyGpu || !gpus.busy(g)) && gpus.plannedSeconds(g) + seconds <= limit) {
          into[found++] = g;
          if (found == into.length) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
