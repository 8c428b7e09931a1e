package io.ringmaster.policy.batch;

/**
 * PACK, "fragment-aware first-fit packing" (section 5.2): the GPUs with the least planned time. The
 * text asks that small jobs go to servers in use rather than open new ones: ties go to the server
 * with the fewest idle GPUs that still holds the job, then to the fullest rest, a choice.
 *
 * <p>Where GPUs are fixed beforehand, all of them can be had, and ties hardly occur: there a single
 * server is preferred, the one on which the job could start first.
 */
final class FragmentAwarePack implements GpuRule {
  @Override
  public boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into) {
    LeastUsed least = new LeastUsed(into.length);
    if (anyGpu && chooseServer(gpus, seconds, limit, into, least)) {
      return true;
    }
    least.clear();
    for (int s = 0; s < gpus.servers(); s++) {
      int idle = gpus.idleOn(s);
      int tie = idle >= into.length ? idle : Integer.MAX_VALUE - idle;
      least.offerServer(gpus, s, seconds, limit, anyGpu, tie);
    }
    return least.into(into);
  }

  private static boolean chooseServer(
      Gpus gpus, double seconds, double limit, int[] into, LeastUsed least) {
    double earliest = Double.POSITIVE_INFINITY;
    for (int s = 0; s < gpus.servers(); s++) {
      if (gpus.size(s) >= into.length) {
        least.clear();
        least.offerServer(gpus, s, seconds, limit, true, 0);
        if (least.isFull() && least.worst() < earliest) {
          earliest = least.worst();
          least.into(into);
        }
      }
    }
    return earliest < Double.POSITIVE_INFINITY;
  }
}
