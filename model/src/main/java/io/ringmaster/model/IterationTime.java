package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/** How long is one iteration of a job on a placement beside its neighbours. */
public sealed interface IterationTime
    permits RingContention, ReservedBandwidth, EvenShares, MeasuredAllReduce, Uncontended {

  /** The model that the cluster's network names. */
  static IterationTime of(Cluster cluster) {
    return switch (cluster.network().kind()) {
      case CONTENTION, TRANSMIT -> new RingContention(cluster);
      case RESERVED -> new ReservedBandwidth(cluster);
      case SHARE -> new EvenShares(cluster);
      case MEASURED -> new MeasuredAllReduce(cluster);
      case NONE -> new Uncontended();
    };
  }

  /**
   * Seconds of one iteration.
   *
   * @param profile what the job trains; null: it does not communicate, an iteration is a second
   * @param contenders p: rings that leave the busiest of the placement's servers, this one
   *     included; of no matter to a job on one server. Where only the share of the time counts in
   *     which others transmit, {@link Rings} knows it, and the number of rings is an upper bound
   */
  double seconds(@Nullable ModelProfile profile, Placement placement, double contenders);

  /**
   * A time that no placement of so many workers on the empty cluster can beat, for lower bounds.
   */
  double fastestSeconds(@Nullable ModelProfile profile, int workers);

  /** The time alone with every worker on a server of its own, over the slowest links. */
  double scatteredSeconds(@Nullable ModelProfile profile, int workers);

  /** Whether a job's speed depends on its neighbours. */
  boolean neighboursMatter();
}
