package io.ringmaster.model;

import org.jspecify.annotations.Nullable;

/** How long is one iteration of a job on a placement beside its neighbours. */
public sealed interface IterationTime
    permits RingContention, ReservedBandwidth, EvenShares, MeasuredAllReduce, Uncontended {

  /** The model that the cluster's network names. */
  static IterationTime of(Cluster cluster) {
    return switch (cluster.network()) {
      case Network.Contention _, Network.Transmit _, Network.Shifted _, Network.Priority _ ->
          new RingContention(cluster);
      case Network.Reserved _ -> new ReservedBandwidth(cluster);
      case Network.Share _ -> new EvenShares(cluster);
      case Network.Measured measured -> new MeasuredAllReduce(cluster, measured);
      case Network.None _ -> new Uncontended();
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

  /** Whether neighbours slow each other down by their number, not only while they transmit. */
  default boolean countsRings() {
    return neighboursMatter();
  }

  /** Whether an iteration takes longer on some places than on others. */
  default boolean placesMatter() {
    return true;
  }

  /**
   * Whether a ring is faster on servers that it has to itself: others would slow it down there, or
   * its part of a link follows from its part of the GPUs.
   */
  default boolean wholeServersPay() {
    return placesMatter();
  }

  /** Whether every ring has its part of each link that it crosses, and keeps it from others. */
  default boolean reservesLinks() {
    return false;
  }

  /** Whether it knows the stages of a job, so that it matters which replica sits where. */
  default boolean knowsStages() {
    return false;
  }

  /** Whether what a model exchanges can be fitted to times of whole iterations. */
  default boolean takesFittedExchange() {
    return false;
  }

  /** Where the replicas of a job's stages are, also if its policy left that open. */
  default Placement mapped(@Nullable ModelProfile profile, Placement placement) {
    return placement;
  }
}
