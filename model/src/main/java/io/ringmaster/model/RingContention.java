package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * Rings that share a server's link slow each other down: Yu, Ji, Rajan, Liu, "On Scheduling
 * Ring-All-Reduce Learning Jobs in Multi-Tenant GPU Clusters with Communication Contention",
 * MobiHoc 2022 (arXiv 2207.07817), section 4, equations (6) to (8).
 *
 * <p>Departures: the floor of the paper's slotted speed is left out, since progress is continuous;
 * f is never below 1, which the linear form would be for xi1 * p below 1; b_e is the smallest
 * network bandwidth among the job's servers, where the paper has one for all.
 */
public final class RingContention implements IterationTime {
  private final Network network;
  private final double[] nic;
  private final double[] intra;
  private final Cluster cluster;
  private final double fastestNic;

  public RingContention(Cluster cluster) {
    this.cluster = cluster;
    this.network = cluster.network();
    this.nic = cluster.servers().stream().mapToDouble(Server::nicBytesPerSecond).toArray();
    this.intra = cluster.servers().stream().mapToDouble(Server::intraBytesPerSecond).toArray();
    double fastest = 0;
    for (double b : nic) {
      fastest = Math.max(fastest, b);
    }
    this.fastestNic = fastest;
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, int contenders) {
    if (profile == null) {
      return 1;
    }
    double bandwidth;
    if (placement.crossesServers()) {
      double slowest = nic[placement.server(0)];
      for (int i = 1; i < placement.size(); i++) {
        slowest = Math.min(slowest, nic[placement.server(i)]);
      }
      bandwidth = slowest / degradation(contenders);
    } else {
      bandwidth = intra[placement.server(0)];
    }
    return seconds(profile, placement.workers(), placement.size(), bandwidth);
  }

  /** f(alpha, k) = k + alpha (k - 1) with k = xi1 * p, never below 1. */
  public double degradation(int contenders) {
    double k = network.xi1() * contenders;
    return Math.max(1, k + network.alpha() * (k - 1));
  }

  /** Exchange + reduction + compute + overhead, equation (8). */
  private double seconds(ModelProfile profile, int workers, int servers, double bandwidth) {
    double share = profile.gradientBytes() * (workers - 1) / workers;
    return 2 * share / bandwidth
        + share / network.reduceBytesPerSecond()
        + profile.computeSeconds()
        + network.overheadSeconds() * servers;
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    double bandwidth = workers > 1 ? fastestNic : 0;
    for (int s = 0; s < intra.length; s++) {
      if (cluster.gpus(s) >= workers) {
        bandwidth = Math.max(bandwidth, intra[s]);
      }
    }
    int servers = cluster.idealPlacement(workers).size();
    return seconds(profile, workers, servers, bandwidth);
  }

  @Override
  public boolean neighboursMatter() {
    return true;
  }
}
