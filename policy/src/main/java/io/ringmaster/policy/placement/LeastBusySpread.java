package io.ringmaster.policy.placement;

/**
 * SPREAD, "least-busy server-GPU first" (section 5.2): the servers with the least mean planned
 * time, just enough of them for lambda times the job, and inside them the GPUs with the least
 * planned time.
 */
public final class LeastBusySpread extends GpuRule {
  private final double lambda;

  public LeastBusySpread(double lambda) {
    this.lambda = lambda;
  }

  @Override
  boolean choose(Gpus.Offer offer, int[] into) {
    int[] servers = offer.gpus().leastBusyFirst();
    int capacity = 0;
    int room = 0;
    int used = 0;
    while (used < servers.length && capacity < lambda * into.length) {
      capacity += offer.capacity(servers[used]);
      room += offer.room(servers[used]);
      used++;
    }
    if (room < into.length) {
      return false;
    }
    LeastUsed least = new LeastUsed(into.length);
    for (int i = 0; i < used; i++) {
      least.offerServer(offer, servers[i], 0);
    }
    return least.into(into);
  }
}
