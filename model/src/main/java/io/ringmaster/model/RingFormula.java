package io.ringmaster.model;

import java.util.Arrays;

/**
 * The time of a ring all-reduce iteration at a given bandwidth: equation (8) of Yu, Ji, Rajan, Liu,
 * MobiHoc 2022 (arXiv 2207.07817).
 */
final class RingFormula {
  private final Cluster cluster;
  private final RingTerms terms;
  private final double[] nic;
  private final double[] intra;
  private final double fastestNic;
  private final double fastestIntra;

  RingFormula(Cluster cluster) {
    this.cluster = cluster;
    this.terms = cluster.network().terms();
    this.nic = cluster.servers().stream().mapToDouble(Server::nicBytesPerSecond).toArray();
    this.intra = cluster.servers().stream().mapToDouble(Server::intraBytesPerSecond).toArray();
    this.fastestNic = Arrays.stream(nic).max().getAsDouble();
    this.fastestIntra = Arrays.stream(intra).max().getAsDouble();
  }

  double nic(int server) {
    return nic[server];
  }

  double intra(int server) {
    return intra[server];
  }

  /** Of all servers. */
  double slowestNic() {
    return Arrays.stream(nic).min().getAsDouble();
  }

  /** Of all servers. */
  double slowestIntra() {
    return Arrays.stream(intra).min().getAsDouble();
  }

  double slowestNic(Placement placement) {
    double slowest = nic[placement.server(0)];
    for (int i = 1; i < placement.size(); i++) {
      slowest = Math.min(slowest, nic[placement.server(i)]);
    }
    return slowest;
  }

  /** As if all workers of a placement sat on its first server. */
  double onOneServer(ModelProfile profile, Placement placement) {
    return seconds(profile, placement.workers(), 1, intra[placement.server(0)]);
  }

  /** Exchange + reduction + compute + overhead. */
  double seconds(ModelProfile profile, int workers, int servers, double bandwidth) {
    double share = profile.gradientBytes() * (workers - 1) / workers;
    return 2 * share / bandwidth
        + share / terms.reduceBytesPerSecond()
        + profile.computeSeconds()
        + terms.overheadSeconds() * servers;
  }

  double exchangeSeconds(ModelProfile profile, int workers, double bandwidth) {
    return 2 * (profile.gradientBytes() * (workers - 1) / workers) / bandwidth;
  }

  /** Reduction + compute + overhead. */
  double otherSeconds(ModelProfile profile, int workers, int servers) {
    return profile.gradientBytes() * (workers - 1) / workers / terms.reduceBytesPerSecond()
        + profile.computeSeconds()
        + terms.overheadSeconds() * servers;
  }

  /** The fewest servers, and the fastest link that so many workers could have. */
  double fastestSeconds(ModelProfile profile, int workers) {
    double bandwidth = workers > 1 ? fastestNic : 0;
    for (int s = 0; s < intra.length; s++) {
      if (cluster.gpus(s) >= workers) {
        bandwidth = Math.max(bandwidth, intra[s]);
      }
    }
    int servers = cluster.idealPlacement(workers).size();
    double uncapped = seconds(profile, workers, servers, bandwidth);
    return terms.cap() == Double.POSITIVE_INFINITY
        ? uncapped
        : Math.min(uncapped, (1 + terms.cap()) * seconds(profile, workers, 1, fastestIntra));
  }
}
