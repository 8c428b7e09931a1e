package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * An all-reduce across servers takes what {@link AllReduceCost} says, with k = xi1 * p; on one
 * server it takes no time. Wang, Shi, Wang, Chu, arXiv 2002.10105, where k counts the transfers
 * under way at the moment: here p counts the rings on the busiest server, and xi1 the share of the
 * time that they transmit.
 */
public final class MeasuredAllReduce implements IterationTime {
  private final Network.Measured network;
  private final int largestServer;

  MeasuredAllReduce(Cluster cluster, Network.Measured network) {
    this.network = network;
    this.largestServer = cluster.maxServerGpus();
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, double contenders) {
    if (profile == null) {
      return 1;
    }
    return placement.crossesServers()
        ? profile.computeSeconds() + allReduce(profile, contenders)
        : profile.computeSeconds();
  }

  private double allReduce(ModelProfile profile, double contenders) {
    return network.cost().seconds(profile.gradientBytes(), network.terms().xi1() * contenders);
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    return workers <= largestServer
        ? profile.computeSeconds()
        : profile.computeSeconds() + allReduce(profile, 1);
  }

  @Override
  public double scatteredSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    return workers == 1
        ? profile.computeSeconds()
        : profile.computeSeconds() + allReduce(profile, 1);
  }

  @Override
  public boolean neighboursMatter() {
    return true;
  }
}
