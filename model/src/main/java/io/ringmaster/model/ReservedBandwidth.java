package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * Every ring has its own part of the network, whatever its neighbours do: the bandwidth of GADGET
 * (Yu, Tian, Ji, Wu, Rajan, Liu, INFOCOM 2022, arXiv 2202.01158) in the formula of {@link
 * RingContention}. No ring slows another down, and what a ring does not use is lost.
 *
 * <p>With a fixed bandwidth, b_i of the paper, a ring reserves just that on every link that it
 * crosses, and a placement is only possible where so much is left. Otherwise, a choice: a ring has
 * as large a part of a server's link, and of the uplink of a rack or pod, as it has of the GPUs
 * there, and goes at the smallest of these parts. So the parts never add up to more than the link,
 * wherever jobs are placed.
 */
public final class ReservedBandwidth implements IterationTime {
  private final Cluster cluster;
  private final RingFormula ring;
  private final boolean fixed;
  private final Topology topology;

  /** Of each rack, and of each pod. */
  private final int[] gpusInside;

  /** Of a link, for one GPU below it. */
  private final double slowestPart;

  public ReservedBandwidth(Cluster cluster) {
    this.cluster = cluster;
    this.ring = new RingFormula(cluster);
    this.fixed = cluster.network().reservesFixed();
    this.topology = cluster.topology();
    this.gpusInside = topology.gpusInside(cluster.servers());
    double slowest = cluster.slowestNicShare();
    for (int which = 0; gpusInside.length > 1 && which < gpusInside.length; which++) {
      slowest = Math.min(slowest, topology.uplink(which) / gpusInside[which]);
    }
    this.slowestPart = slowest;
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, double contenders) {
    if (profile == null) {
      return 1;
    }
    return placement.crossesServers()
        ? ring.seconds(profile, placement.workers(), placement.size(), reserved(profile, placement))
        : ring.onOneServer(profile, placement);
  }

  /** Bytes a second that a ring across servers has for itself on every link that it crosses. */
  public double reserved(ModelProfile profile, Placement placement) {
    return fixed
        ? cluster.demand(Demand.NONE, profile).ringBytesPerSecond()
        : smallestPart(placement);
  }

  private double smallestPart(Placement placement) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      least = Math.min(least, ring.nic(server) * placement.gpus(i) / cluster.gpus(server));
    }
    int tiers = topology.tiers(placement);
    return tiers > 0 ? Math.min(least, smallestPartOfUplink(placement, tiers)) : least;
  }

  private double smallestPartOfUplink(Placement placement, int tiers) {
    double least = Double.POSITIVE_INFINITY;
    int[] workers = new int[gpusInside.length];
    for (int i = 0; i < placement.size(); i++) {
      workers[topology.rack(placement.server(i))] += placement.gpus(i);
      if (tiers > 1) {
        workers[topology.pod(placement.server(i))] += placement.gpus(i);
      }
    }
    for (int which = 0; which < workers.length; which++) {
      if (workers[which] > 0) {
        least = Math.min(least, topology.uplink(which) * workers[which] / gpusInside[which]);
      }
    }
    return least;
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    if (fixed && workers > cluster.maxServerGpus()) {
      double bandwidth = cluster.demand(Demand.NONE, profile).ringBytesPerSecond();
      return ring.seconds(profile, workers, cluster.fewestServers(workers), bandwidth);
    }
    return ring.fastestSeconds(profile, workers, false);
  }

  @Override
  public double scatteredSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    return ring.seconds(
        profile,
        workers,
        workers,
        fixed ? cluster.demand(Demand.NONE, profile).ringBytesPerSecond() : slowestPart);
  }

  @Override
  public boolean neighboursMatter() {
    return false;
  }

  @Override
  public boolean wholeServersPay() {
    return !fixed;
  }

  @Override
  public boolean reservesLinks() {
    return true;
  }
}
