package io.ringmaster.control.plane;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.model.Placement;
import org.jspecify.annotations.Nullable;

/**
 * A decision on a job.
 *
 * @param target where it is to run; null: it is to wait
 * @param predictedRate the share of it that is expected to be done there a second
 */
record Decided(
    long job,
    @Nullable Allocation target,
    double learningRateScale,
    double predictedRate,
    String why) {

  /**
   * The reason in words.
   *
   * @param waiting how many others wait
   */
  static String why(
      String policy,
      @Nullable Placement before,
      @Nullable Placement after,
      int freeBefore,
      int totalGpus,
      int waiting) {
    if (after == null) {
      return "%s stopped it for others".formatted(policy);
    }
    if (before == null) {
      return "%s gave it %s; %d of %d were free, and %s"
          .formatted(
              policy,
              after.workers() == 1 ? "1 GPU" : after.workers() + " GPUs",
              freeBefore,
              totalGpus,
              waiting == 0
                  ? "no other waits"
                  : waiting == 1 ? "1 other waits" : waiting + " others wait");
    }
    return before.workers() == after.workers()
        ? "%s moved it".formatted(policy)
        : "%s took it from %d to %d workers".formatted(policy, before.workers(), after.workers());
  }
}
