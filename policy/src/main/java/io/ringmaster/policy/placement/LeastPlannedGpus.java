package io.ringmaster.policy.placement;

/** The GPUs with the least planned time, wherever they are: list scheduling. */
public final class LeastPlannedGpus extends GpuRule {
  @Override
  boolean choose(Gpus.Offer offer, int[] into) {
    LeastUsed least = new LeastUsed(into.length);
    for (int s = 0; s < offer.gpus().servers(); s++) {
      least.offerServer(offer, s, 0);
    }
    return least.into(into);
  }
}
