package io.ringmaster.model;

/**
 * The time of an all-reduce of M bytes beside k - 1 others, a + k b M + (k - 1) eta M, as measured
 * by Wang, Shi, Wang, Chu, "Communication Contention Aware Scheduling of Multiple Deep Learning
 * Training Jobs", arXiv 2002.10105.
 *
 * @param startupSeconds a
 * @param secondsPerByte b
 * @param contentionSecondsPerByte eta
 */
public record AllReduceCost(
    double startupSeconds, double secondsPerByte, double contentionSecondsPerByte) {

  /** 10 Gbit/s Ethernet, the constants of the authors' public simulator. */
  public static final AllReduceCost TEN_GIGABIT = new AllReduceCost(0, 0.856e-9, 0.235e-9);

  /**
   * Seconds of one all-reduce.
   *
   * @param transfers k, which may be an average and so broken; never taken as less than 1
   */
  public double seconds(double bytes, double transfers) {
    double k = Math.max(1, transfers);
    return startupSeconds + bytes * (k * secondsPerByte + (k - 1) * contentionSecondsPerByte);
  }
}
