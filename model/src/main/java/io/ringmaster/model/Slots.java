package io.ringmaster.model;

/**
 * Time in slots, as the paper of {@link RingContention} counts it (section 4.2): a job does a whole
 * number of iterations a slot, what is left of the slot is lost, and everything begins and ends
 * with a slot.
 *
 * @param seconds length of a slot; 0: time is continuous
 */
public record Slots(double seconds) {
  /** Slots that a sum of rounded numbers is off by are not counted. */
  private static final double ROUNDING = 1e-9;

  /**
   * Work a second, in units of {@code workSeconds} an iteration, of a job whose iteration takes
   * {@code iterationSeconds}.
   */
  public double speed(double workSeconds, double iterationSeconds) {
    return seconds == 0
        ? workSeconds / iterationSeconds
        : workSeconds * Math.floor(seconds / iterationSeconds * (1 + ROUNDING)) / seconds;
  }

  /** The time itself, or the beginning of the first slot that is not before it. */
  public double atOrAfter(double time) {
    return seconds == 0 ? time : Math.ceil(time / seconds - ROUNDING) * seconds;
  }
}
