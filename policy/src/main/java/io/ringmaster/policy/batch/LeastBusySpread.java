package io.ringmaster.policy.batch;

/**
 * SPREAD, "least-busy server-GPU first" (section 5.2): the servers with the least mean planned
 * time, just enough of them for lambda times the job, and inside them the GPUs with the least
 * planned time.
 */
final class LeastBusySpread implements GpuRule {
  private final double lambda;

  LeastBusySpread(double lambda) {
    this.lambda = lambda;
  }

  @Override
  public boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into) {
    int[] servers = gpus.leastBusyFirst();
    int capacity = 0;
    int idle = 0;
    int used = 0;
    while (used < servers.length && capacity < lambda * into.length) {
      capacity += gpus.size(servers[used]);
      idle += gpus.idleOn(servers[used]);
      used++;
    }
    if (!anyGpu && idle < into.length) {
      return false;
    }
    LeastUsed least = new LeastUsed(into.length);
    for (int i = 0; i < used; i++) {
      least.offerServer(gpus, servers[i], seconds, limit, anyGpu, 0);
    }
    return least.into(into);
  }
}
