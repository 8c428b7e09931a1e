package io.ringmaster.model;

/**
 * How rings slow down. See {@link IterationTime}.
 *
 * @param xi1 share of the time that a job transmits: k = xi1 * p; of no matter to {@link
 *     Kind#TRANSMIT}, which works it out for each ring
 * @param alpha degradation a contender adds: f = k + alpha (k - 1)
 * @param overheadSeconds xi2: per iteration and server used
 * @param reduceBytesPerSecond C: how fast a GPU adds gradients
 * @param cap the most that crossing servers may add to an iteration, as a share of the iteration on
 *     one server; infinite for no limit
 * @param slotSeconds progress is made in whole iterations a slot of this length; 0: continuously
 * @param reserveBytesPerSecond for {@link Kind#RESERVED}: what a ring reserves on every link that
 *     it crosses, unless its model says otherwise; 0: as large a part of a link as of the GPUs
 * @param pipelining how stages follow each other, for {@link Kind#SHARE}
 * @param cost the measured cost of an all-reduce, for {@link Kind#MEASURED}
 */
public record Network(
    Kind kind,
    double xi1,
    double alpha,
    double overheadSeconds,
    double reduceBytesPerSecond,
    double cap,
    double slotSeconds,
    double reserveBytesPerSecond,
    Pipelining pipelining,
    AllReduceCost cost) {

  /** The iteration-time models that a cluster file can name. */
  public enum Kind {
    CONTENTION,
    TRANSMIT,
    RESERVED,
    SHARE,
    MEASURED,
    NONE
  }

  /** The values of the documented example cluster. */
  public static final Network DEFAULT = new Network(Kind.CONTENTION, 1.0, 0.2, 0.5e-3, 100e9);

  /** No network cost at all: an iteration is a second. */
  public static final Network NONE = DEFAULT.with(Kind.NONE);

  /** Without cap and slots, and with the cost that was measured at 10 Gbit/s. */
  public Network(
      Kind kind, double xi1, double alpha, double overheadSeconds, double reduceBytesPerSecond) {
    this(
        kind,
        xi1,
        alpha,
        overheadSeconds,
        reduceBytesPerSecond,
        Double.POSITIVE_INFINITY,
        0,
        0,
        AllReduceCost.TEN_GIGABIT);
  }

  /** With stages in the steady state. */
  public Network(
      Kind kind,
      double xi1,
      double alpha,
      double overheadSeconds,
      double reduceBytesPerSecond,
      double cap,
      double slotSeconds,
      double reserveBytesPerSecond,
      AllReduceCost cost) {
    this(
        kind,
        xi1,
        alpha,
        overheadSeconds,
        reduceBytesPerSecond,
        cap,
        slotSeconds,
        reserveBytesPerSecond,
        Pipelining.STEADY,
        cost);
  }

  /** Whether a ring reserves a bandwidth that does not follow from its GPUs. */
  public boolean reservesFixed() {
    return kind == Kind.RESERVED && reserveBytesPerSecond > 0;
  }

  public Network with(Kind other) {
    return with(other, reserveBytesPerSecond, pipelining);
  }

  /** Rings reserve, by default so much on every link that they cross. */
  public Network reserving(double bytesPerSecond) {
    return with(Kind.RESERVED, bytesPerSecond, pipelining);
  }

  /** Every GPU has an even share of its server's link, and stages follow each other so. */
  public Network sharing(Pipelining stages) {
    return with(Kind.SHARE, reserveBytesPerSecond, stages);
  }

  private Network with(Kind other, double reserve, Pipelining stages) {
    return new Network(
        other,
        xi1,
        alpha,
        overheadSeconds,
        reduceBytesPerSecond,
        cap,
        slotSeconds,
        reserve,
        stages,
        cost);
  }

  /**
   * What a second transfer on a link adds to the time of a byte, over that time alone: alpha, or
   * eta / b where the cost was measured. 0 if rings do not slow each other down.
   */
  public double penalty() {
    return switch (kind) {
      case CONTENTION, TRANSMIT -> alpha;
      case MEASURED -> cost.contentionSecondsPerByte() / cost.secondsPerByte();
      case RESERVED, SHARE, NONE -> 0;
    };
  }
}
