package io.ringmaster.policy.placement;

/**
 * PACK, "fragment-aware first-fit packing" (section 5.2): the GPUs with the least planned time. The
 * text asks that small jobs go to servers in use rather than open new ones: ties go to the server
 * with the fewest idle GPUs that still holds the job, then to the fullest rest, a choice.
 *
 * <p>Where GPUs are fixed beforehand, all of them can be had, and ties hardly occur: there a single
 * server is preferred, the one on which the job could start first.
 */
public final class FragmentAwarePack extends GpuRule {
  @Override
  boolean choose(Gpus.Offer offer, int[] into) {
    LeastUsed least = new LeastUsed(into.length);
    if (offer.anyGpu() && chooseServer(offer, into, least)) {
      return true;
    }
    least.clear();
    Gpus gpus = offer.gpus();
    for (int s = 0; s < gpus.servers(); s++) {
      int idle = offer.anyGpu() ? gpus.idleOn(s) : offer.room(s);
      int tie = idle >= into.length ? idle : Integer.MAX_VALUE - idle;
      least.offerServer(offer, s, tie);
    }
    return least.into(into);
  }

  private static boolean chooseServer(Gpus.Offer offer, int[] into, LeastUsed least) {
    double earliest = Double.POSITIVE_INFINITY;
    for (int s = 0; s < offer.gpus().servers(); s++) {
      if (offer.room(s) >= into.length) {
        least.clear();
        least.offerServer(offer, s, 0);
        if (least.isFull() && least.worst() < earliest) {
          earliest = least.worst();
          least.into(into);
        }
      }
    }
    return earliest < Double.POSITIVE_INFINITY;
  }
}
