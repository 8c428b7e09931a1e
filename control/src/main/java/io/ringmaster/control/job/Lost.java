package io.ringmaster.control.job;

/**
 * Work that a job has to do again, since an attempt was over and no later one could go on from
 * there.
 *
 * @param seconds how long it ran for that
 * @param gpuSeconds the same, times its GPUs
 */
public record Lost(double seconds, double gpuSeconds) {
  public static final Lost NOTHING = new Lost(0, 0);

  Lost plus(double moreSeconds, double moreGpuSeconds) {
    return new Lost(seconds + Math.max(0, moreSeconds), gpuSeconds + Math.max(0, moreGpuSeconds));
  }
}
