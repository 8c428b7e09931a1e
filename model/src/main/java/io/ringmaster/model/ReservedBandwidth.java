package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * Every ring has its own part of the network, whatever its neighbours do: the bandwidth of GADGET
 * (Yu, Tian, Ji, Wu, Rajan, Liu, INFOCOM 2022, arXiv 2202.01158) in the formula of {@link
 * RingContention}. No ring slows another down, and what a ring does not use is lost.
 *
 * <p>A choice, since a job does not say what it reserves: a ring has as large a part of a server's
 * link as it has of the server's GPUs, and goes at the smallest of these parts. So the parts never
 * add up to more than the link, wherever jobs are placed.
 */
public final class ReservedBandwidth implements IterationTime {
  private final Cluster cluster;
  private final RingFormula ring;

  public ReservedBandwidth(Cluster cluster) {
    this.cluster = cluster;
    this.ring = new RingFormula(cluster);
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, int contenders) {
    if (profile == null) {
      return 1;
    }
    return placement.crossesServers()
        ? ring.seconds(profile, placement.workers(), placement.size(), reserved(placement))
        : ring.onOneServer(profile, placement);
  }

  /** Bytes a second that a ring has for itself. */
  public double reserved(Placement placement) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      least = Math.min(least, ring.nic(server) * placement.gpus(i) / cluster.gpus(server));
    }
    return least;
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    return profile == null ? 1 : ring.fastestSeconds(profile, workers);
  }

  @Override
  public boolean neighboursMatter() {
    return false;
  }
}
