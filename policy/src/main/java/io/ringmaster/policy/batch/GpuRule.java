package io.ringmaster.policy.batch;

/** Which GPUs a job takes. */
interface GpuRule {
  /**
   * Fills in the GPUs of a job, in ascending order.
   *
   * @param seconds what the job would add to the planned time of each
   * @param limit theta: no GPU may have more planned time than this
   * @param anyGpu whether busy GPUs may be taken too, to be waited for
   * @param into as long as the job has workers
   * @return false if the rule finds none
   */
  boolean choose(Gpus gpus, double seconds, double limit, boolean anyGpu, int[] into);
}
