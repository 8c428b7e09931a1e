package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * Rings that share a server's link slow each other down: Yu, Ji, Rajan, Liu, "On Scheduling
 * Ring-All-Reduce Learning Jobs in Multi-Tenant GPU Clusters with Communication Contention",
 * MobiHoc 2022 (arXiv 2207.07817), section 4, equations (6) to (8).
 *
 * <p>Departures: f is never below 1, which the linear form would be for xi1 * p below 1; b_e is the
 * smallest network bandwidth among the job's servers, where the paper has one for all; the floor of
 * the paper's slotted speed is there only if the network counts in slots ({@link Slots}). The cap
 * is the paper's experiment's (section 7): contention and overhead add at most so much.
 */
public final class RingContention implements IterationTime {
  private final Network network;
  private final RingFormula ring;

  public RingContention(Cluster cluster) {
    this.network = cluster.network();
    this.ring = new RingFormula(cluster);
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, int contenders) {
    if (profile == null) {
      return 1;
    }
    if (!placement.crossesServers()) {
      return ring.onOneServer(profile, placement);
    }
    double bandwidth = ring.slowestNic(placement) / degradation(contenders);
    double seconds = ring.seconds(profile, placement.workers(), placement.size(), bandwidth);
    return network.cap() == Double.POSITIVE_INFINITY
        ? seconds
        : Math.min(seconds, (1 + network.cap()) * ring.onOneServer(profile, placement));
  }

  /** f(alpha, k) = k + alpha (k - 1) with k = xi1 * p, never below 1. */
  public double degradation(int contenders) {
    double k = network.xi1() * contenders;
    return Math.max(1, k + network.alpha() * (k - 1));
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    return profile == null ? 1 : ring.fastestSeconds(profile, workers);
  }

  @Override
  public boolean neighboursMatter() {
    return true;
  }
}
