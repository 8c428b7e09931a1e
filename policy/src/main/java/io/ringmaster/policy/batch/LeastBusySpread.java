package io.ringmaster.policy.batch;

import java.util.Arrays;

/**
 * SPREAD, "least-busy server-GPU first" (section 5.2): the servers with the least mean planned
 * time, just enough of them for lambda times the job, and inside them the GPUs with the least
 * planned time.
 */
final class LeastBusySpread implements GpuRule {
  /**
   * More servers than any cluster has. The bits of a number that is not negative order as it does;
   * the lowest ones make room for the server, so means count as equal that differ by less than one
   * part in four billion.
   */
  private static final long SERVERS = 1L << 20;

  private final double lambda;

  LeastBusySpread(double lambda) {
    this.lambda = lambda;
  }

  @Override
  public boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into) {
    long[] order = new long[gpus.servers()];
    for (int s = 0; s < order.length; s++) {
      order[s] = (Double.doubleToLongBits(gpus.meanPlannedSeconds(s)) & -SERVERS) | s;
    }
    Arrays.sort(order);
    LeastUsed least = new LeastUsed(into.length);
    int capacity = 0;
    for (int i = 0; i < order.length && capacity < lambda * into.length; i++) {
      int server = (int) (order[i] & (SERVERS - 1));
      capacity += gpus.size(server);
      least.offerServer(gpus, server, seconds, limit, anyGpu, 0);
    }
    return least.into(into);
  }
}
