package io.ringmaster.policy.batch;

/** The GPUs with the least planned time, wherever they are. */
final class ListScheduling implements GpuRule {
  @Override
  public boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into) {
    LeastUsed least = new LeastUsed(into.length);
    for (int s = 0; s < gpus.servers(); s++) {
      least.offerServer(gpus, s, seconds, limit, anyGpu, 0);
    }
    return least.into(into);
  }
}
