package io.ringmaster.model;

import java.util.Arrays;

/**
 * The time of a ring all-reduce iteration at a given bandwidth: equation (8) of Yu, Ji, Rajan, Liu,
 * MobiHoc 2022 (arXiv 2207.07817).
 */
final class RingFormula {
  private final Cluster cluster;
  private final RingTerms terms;
  private final Topology topology;
  private final boolean inTiers;
  private final double[] nic;
  private final double[] intra;
  private final double fastestNic;
  private final double fastestIntra;

  RingFormula(Cluster cluster) {
    this.cluster = cluster;
    this.terms = cluster.network().terms();
    this.topology = cluster.topology();
    this.inTiers = topology.switches() > 1;
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

  double fastestNic() {
    return fastestNic;
  }

  /** Of all servers. */
  double slowestNic() {
    return Arrays.stream(nic).min().getAsDouble();
  }

  /** Of all links that some ring may cross. */
  double slowestLink() {
    double slowest = slowestNic();
    for (int i = 0; inTiers && i < topology.switches(); i++) {
      slowest = Math.min(slowest, topology.uplink(i));
    }
    return slowest;
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

  /**
   * How many times as narrow as the narrowest server's link the narrowest uplink is that the ring
   * of a placement crosses; 0 if it crosses none.
   */
  double oversubscription(Placement placement) {
    return inTiers ? slowestNic(placement) / topology.slowestUplink(placement) : 0;
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

  /**
   * What an iteration is shorter by because workers that have all sums begin to compute while the
   * links still carry the last parts for others, on a placement with several workers on a server.
   *
   * <p>An all-reduce passes 2 (w - 1) parts over each hop. Of the workers of a server, the first is
   * behind a link and has its last sum with the last part; the next needs nothing of that part, and
   * has its last one part sooner, and so on. They begin to compute sooner, and so does their next
   * sum, by as many parts as there are others on the server; over a whole round, by the mean over
   * all servers. A part takes longer over a link than inside by the difference of the two exchanges
   * over 2 (w - 1). Nobody gains more than there is to compute.
   *
   * @param bandwidth of the links, with all that share them
   * @param inside bandwidth within servers
   */
  double headStartSeconds(
      ModelProfile profile, int workers, int servers, double bandwidth, double inside) {
    double parts = (double) workers / servers - 1;
    double part =
        (exchangeSeconds(profile, workers, bandwidth) - exchangeSeconds(profile, workers, inside))
            / (2.0 * (workers - 1));
    return Math.max(0, Math.min(parts * part, otherSeconds(profile, workers, servers)));
  }

  double slowestIntra(Placement placement) {
    double slowest = intra[placement.server(0)];
    for (int i = 1; i < placement.size(); i++) {
      slowest = Math.min(slowest, intra[placement.server(i)]);
    }
    return slowest;
  }

  /**
   * The fewest servers, and the fastest link that so many workers could have.
   *
   * @param withHeadStart whether workers on one server gain by that
   */
  double fastestSeconds(ModelProfile profile, int workers, boolean withHeadStart) {
    double bandwidth = workers > 1 ? fastestNic : 0;
    for (int s = 0; s < intra.length; s++) {
      if (cluster.gpus(s) >= workers) {
        bandwidth = Math.max(bandwidth, intra[s]);
      }
    }
    int servers = cluster.fewestServers(workers);
    double uncapped = seconds(profile, workers, servers, bandwidth);
    int across = Math.max(2, servers);
    if (withHeadStart && workers > across) {
      uncapped -= headStartSeconds(profile, workers, across, bandwidth, fastestIntra);
    }
    return terms.cap() == Double.POSITIVE_INFINITY
        ? uncapped
        : Math.min(uncapped, (1 + terms.cap()) * seconds(profile, workers, 1, fastestIntra));
  }
}
