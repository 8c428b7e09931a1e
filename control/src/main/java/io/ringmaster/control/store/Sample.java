package io.ringmaster.control.store;

import java.util.Map;

/**
 * What the cluster was like within a step of time. Counts of writes for the same step add up; of
 * the rest the last one stays, and over several steps their mean is told. NaN: nobody looked.
 *
 * @param atSeconds when the step began, since 1970
 * @param gpus of all nodes
 * @param heldGpus that jobs held
 * @param waitingJobs that waited for GPUs
 * @param waitingGpus that they asked for
 * @param spreadJobs that ran on several nodes
 * @param sharingJobs of those, the ones on whose nodes another such job ran: they contend for links
 * @param starts of jobs that had never run
 * @param startWaitSeconds how long those had waited, together
 * @param restarts stops of jobs that go on elsewhere or later
 * @param lostGpuSeconds of work that has to be done again
 * @param usedGpuSeconds that jobs of each user held GPUs; a count that is kept by the hour, and is
 *     not read back with the rest
 */
public record Sample(
    long atSeconds,
    double gpus,
    double heldGpus,
    double waitingJobs,
    double waitingGpus,
    double spreadJobs,
    double sharingJobs,
    double starts,
    double startWaitSeconds,
    double restarts,
    double lostGpuSeconds,
    Map<String, Double> usedGpuSeconds) {
  public Sample(
      long atSeconds,
      double gpus,
      double heldGpus,
      double waitingJobs,
      double waitingGpus,
      double spreadJobs,
      double sharingJobs,
      double starts,
      double startWaitSeconds,
      double restarts,
      double lostGpuSeconds) {
    this(
        atSeconds,
        gpus,
        heldGpus,
        waitingJobs,
        waitingGpus,
        spreadJobs,
        sharingJobs,
        starts,
        startWaitSeconds,
        restarts,
        lostGpuSeconds,
        Map.of());
  }

  /** How long a step is in which it is stored what users took. */
  public static final int USAGE_STEP_SECONDS = 3600;

  /** How long a step is as it is stored. */
  public static final int STEP_SECONDS = 60;

  /** How long it is kept: a week, and a day to look back from. */
  public static final long KEPT_SECONDS = 8 * 86_400;
}
