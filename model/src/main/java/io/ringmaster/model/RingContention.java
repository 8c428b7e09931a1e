package io.ringmaster.model;

import java.util.List;
import java.util.Objects;
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
 *
 * <p>Under {@link Network.Transmit} the formulas are the same with xi1 = 1, but p is no whole
 * number: rings beside this one count with their {@link TransmitShare}, which {@link Rings} adds
 * up. And of a ring with several workers on a server some begin to compute before others: see
 * {@link RingFormula#headStartSeconds}.
 *
 * <p>A model that has a {@link FittedExchange} takes what that says instead of what follows from
 * bandwidths: alone as it was measured, and beside others f times that.
 */
public final class RingContention implements IterationTime {
  private final RingTerms terms;
  private final RingFormula ring;
  private final Topology topology;
  private final int largestServer;
  private final int servers;
  private final boolean countsShares;
  private final @Nullable Turns turns;
  private final double xi1;
  private final double alpha;

  public RingContention(Cluster cluster) {
    this.terms = cluster.network().terms();
    this.ring = new RingFormula(cluster);
    this.topology = cluster.topology();
    this.largestServer = cluster.maxServerGpus();
    this.servers = cluster.size();
    this.countsShares = cluster.network() instanceof Network.Transmit;
    this.turns = turns(cluster.network());
    this.xi1 = countsRings() ? terms.xi1() : 1;
    this.alpha = turns == null ? terms.alpha() : 0;
  }

  private static @Nullable Turns turns(Network network) {
    return switch (network) {
      case Network.Shifted shifted -> new ShiftedTurns(shifted.slack());
      case Network.Priority _ -> new PriorityTurns();
      default -> null;
    };
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, double contenders) {
    if (profile == null) {
      return 1;
    }
    if (!placement.crossesServers()) {
      return onOneServer(profile, placement);
    }
    double degradation = Math.max(degradation(contenders), ring.oversubscription(placement));
    double seconds = across(profile, placement, degradation);
    return terms.cap() == Double.POSITIVE_INFINITY
        ? seconds
        : Math.min(seconds, (1 + terms.cap()) * onOneServer(profile, placement));
  }

  private double onOneServer(ModelProfile profile, Placement placement) {
    return inside(profile, placement.workers(), ring.intra(placement.server(0)));
  }

  private double inside(ModelProfile profile, int workers, double bandwidth) {
    FittedExchange exchange = profile.exchange();
    return exchange == null
        ? ring.seconds(profile, workers, 1, bandwidth)
        : exchange.together(profile.computeSeconds(), exchange.insideSeconds(workers));
  }

  private double across(ModelProfile profile, Placement placement, double degradation) {
    FittedExchange exchange = profile.exchange();
    if (exchange == null) {
      double bandwidth = ring.slowestNic(placement) / degradation;
      double seconds = ring.seconds(profile, placement.workers(), placement.size(), bandwidth);
      return hasHeadStart(placement)
          ? seconds - headStartSeconds(profile, placement, bandwidth)
          : seconds;
    }
    return exchange.together(profile.computeSeconds(), degradation * exchange.seconds(placement));
  }

  /** Whether some workers of a ring are done with a sum before others are. */
  private boolean hasHeadStart(Placement placement) {
    return countsShares && placement.workers() > placement.size();
  }

  private double headStartSeconds(ModelProfile profile, Placement placement, double bandwidth) {
    return ring.headStartSeconds(
        profile, placement.workers(), placement.size(), bandwidth, ring.slowestIntra(placement));
  }

  /** f(alpha, k) = k + alpha (k - 1) with k = xi1 * p, never below 1. */
  public double degradation(double contenders) {
    double k = xi1 * contenders;
    return Math.max(1, k + alpha * (k - 1));
  }

  /**
   * What on its servers' links would slow a ring down as much as it is: the inverse of {@link
   * #degradation}.
   */
  public double contendersOf(double degradation) {
    return (degradation + alpha) / (1 + alpha) / xi1;
  }

  /** Bytes a second that a ring across servers has if it is alone. */
  public double bandwidthAlone(Placement placement) {
    return ring.slowestNic(placement) / Math.max(1, ring.oversubscription(placement));
  }

  /** Of the servers of a placement. */
  public double slowestNic(Placement placement) {
    return ring.slowestNic(placement);
  }

  /** Whether so many rings on the uplink of a switch may slow any of them down. */
  boolean mayBeNarrow(int which, int rings) {
    return degradation(rings) * ring.fastestNic() > topology.uplink(which);
  }

  Topology topology() {
    return topology;
  }

  /** Whether a ring counts for others only as far as it transmits. */
  public boolean countsShares() {
    return countsShares;
  }

  /** How rings take turns on links; null if they do not. */
  public @Nullable Turns turns() {
    return turns;
  }

  /**
   * A ring across servers as it is alone, on the link of one of its servers.
   *
   * @return null if it has nothing to send
   */
  public @Nullable LinkRing onServers(int job, ModelProfile profile, Placement placement) {
    double ratio = restRatio(profile, placement);
    if (ratio == Double.POSITIVE_INFINITY) {
      return null;
    }
    FittedExchange fitted = profile.exchange();
    double exchange =
        fitted == null
            ? ring.exchangeSeconds(profile, placement.workers(), bandwidthAlone(placement))
            : Math.max(1, ring.oversubscription(placement)) * fitted.seconds(placement);
    double rest = ratio * exchange;
    double width = ring.slowestNic(placement) / bandwidthAlone(placement);
    return new LinkRing(job, exchange, rest, width, placement.workers() * ratio);
  }

  /** The same ring on the uplink of a switch. */
  public LinkRing onUplink(LinkRing onServers, Placement placement, int which) {
    double width = Math.max(1, topology.uplink(which) / bandwidthAlone(placement));
    return new LinkRing(
        onServers.job(),
        onServers.exchangeSeconds(),
        onServers.restSeconds(),
        width,
        onServers.intensity());
  }

  /**
   * What each ring of a link, by their jobs' numbers, has to share it with, itself included, if
   * they take turns.
   */
  public double[] inTurns(List<LinkRing> rings) {
    double[] contenders = Objects.requireNonNull(turns).stretches(rings);
    for (int i = 0; i < contenders.length; i++) {
      contenders[i] = contendersOf(contenders[i] * rings.get(i).width());
    }
    return contenders;
  }

  /**
   * Seconds in which a ring across servers does other things, for each second in which it transmits
   * if it is alone. Infinite if it has nothing to send.
   */
  public double restRatio(ModelProfile profile, Placement placement) {
    FittedExchange fitted = profile.exchange();
    double exchange;
    double rest;
    if (fitted == null) {
      double bandwidth = bandwidthAlone(placement);
      exchange = ring.exchangeSeconds(profile, placement.workers(), bandwidth);
      rest = ring.otherSeconds(profile, placement.workers(), placement.size());
      if (hasHeadStart(placement)) {
        rest -= headStartSeconds(profile, placement, bandwidth);
      }
    } else {
      exchange = Math.max(1, ring.oversubscription(placement)) * fitted.seconds(placement);
      rest = fitted.together(profile.computeSeconds(), exchange) - exchange;
    }
    return exchange > 0 ? Math.max(0, rest) / exchange : Double.POSITIVE_INFINITY;
  }

  /** {@link TransmitShare} of a ring with such a rest, for another that shares a link with it. */
  public double share(double restRatio, int rings) {
    return TransmitShare.of(restRatio, rings, alpha);
  }

  /** The same on the uplink of a switch, for a ring that sends so fast if it is alone. */
  public double share(double restRatio, int rings, int which, double bandwidthAlone) {
    double width = topology.uplink(which) / bandwidthAlone;
    return TransmitShare.of(restRatio, rings, alpha, width);
  }

  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    FittedExchange exchange = profile.exchange();
    return exchange == null
        ? ring.fastestSeconds(profile, workers, countsShares)
        : exchange.together(profile.computeSeconds(), fastestExchange(exchange, workers));
  }

  private double fastestExchange(FittedExchange exchange, int workers) {
    boolean insideFits = workers <= largestServer || terms.cap() < Double.POSITIVE_INFINITY;
    double inside = insideFits ? exchange.insideSeconds(workers) : Double.POSITIVE_INFINITY;
    return workers == 1 || servers == 1
        ? inside
        : Math.min(inside, exchange.acrossSeconds(workers, Math.ceilDiv(workers, servers)));
  }

  @Override
  public double scatteredSeconds(@Nullable ModelProfile profile, int workers) {
    if (profile == null) {
      return 1;
    }
    if (workers == 1) {
      return fastestSeconds(profile, 1);
    }
    FittedExchange exchange = profile.exchange();
    double across =
        exchange == null
            ? ring.seconds(profile, workers, workers, ring.slowestLink())
            : exchange.together(profile.computeSeconds(), exchange.acrossSeconds(workers, 1));
    return terms.cap() == Double.POSITIVE_INFINITY
        ? across
        : Math.min(across, (1 + terms.cap()) * inside(profile, workers, ring.slowestIntra()));
  }

  @Override
  public boolean neighboursMatter() {
    return true;
  }

  @Override
  public boolean countsRings() {
    return !countsShares && turns == null;
  }

  @Override
  public boolean takesFittedExchange() {
    return countsRings();
  }
}
