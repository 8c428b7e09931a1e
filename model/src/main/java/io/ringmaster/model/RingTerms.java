package io.ringmaster.model;

/**
 * What a cluster file may say of rings whichever model it names. Which terms count depends on the
 * model: see {@link IterationTime}.
 *
 * @param xi1 share of the time that a job transmits: k = xi1 * p; of no matter to {@link
 *     Network.Transmit}, which works it out for each ring
 * @param alpha degradation a contender adds: f = k + alpha (k - 1)
 * @param overheadSeconds xi2: per iteration and server used
 * @param reduceBytesPerSecond C: how fast a GPU adds gradients
 * @param cap the most that crossing servers may add to an iteration, as a share of the iteration on
 *     one server; infinite for no limit
 * @param slotSeconds progress is made in whole iterations a slot of this length; 0: continuously
 */
public record RingTerms(
    double xi1,
    double alpha,
    double overheadSeconds,
    double reduceBytesPerSecond,
    double cap,
    double slotSeconds) {
  /** The values of the documented example cluster. */
  public static final RingTerms USUAL = new RingTerms(1.0, 0.2, 0.5e-3, 100e9);

  /** Without cap and slots. */
  public RingTerms(double xi1, double alpha, double overheadSeconds, double reduceBytesPerSecond) {
    this(xi1, alpha, overheadSeconds, reduceBytesPerSecond, Double.POSITIVE_INFINITY, 0);
  }
}
