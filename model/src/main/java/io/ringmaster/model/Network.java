package io.ringmaster.model;

/**
 * How rings slow down. See {@link IterationTime}.
 *
 * @param xi1 share of the time that a job transmits: k = xi1 * p
 * @param alpha degradation a contender adds: f = k + alpha (k - 1)
 * @param overheadSeconds xi2: per iteration and server used
 * @param reduceBytesPerSecond C: how fast a GPU adds gradients
 */
public record Network(
    Kind kind, double xi1, double alpha, double overheadSeconds, double reduceBytesPerSecond) {

  /** The iteration-time models that a cluster file can name. */
  public enum Kind {
    CONTENTION,
    NONE
  }

  /** The values of the documented example cluster. */
  public static final Network DEFAULT = new Network(Kind.CONTENTION, 1.0, 0.2, 0.5e-3, 100e9);

  /** No network cost at all: an iteration is a second. */
  public static final Network NONE = new Network(Kind.NONE, 1.0, 0.2, 0.5e-3, 100e9);
}
