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
record Decision(
    long job,
    @Nullable Allocation target,
    double learningRateScale,
    double predictedRate,
    String why) {

  /**
   * The reason in words.
   *
   * @param waiting how many others wait
   * @param reason the policy's own; null: it gives none
   */
  static String why(
      String policy,
      @Nullable Placement before,
      @Nullable Placement after,
      int freeBefore,
      int totalGpus,
      int waiting,
      @Nullable String reason) {
    String what = "%s %s".formatted(policy, what(before, after));
    if (reason != null) {
      return "%s: %s".formatted(what, reason);
    }
    if (after == null) {
      return what + " for others";
    }
    if (before == null) {
      return "%s; %d of %d were free, and %s"
          .formatted(
              what,
              freeBefore,
              totalGpus,
              waiting == 0
                  ? "no other waits"
                  : waiting == 1 ? "1 other waits" : waiting + " others wait");
    }
    return what;
  }

  private static String what(@Nullable Placement before, @Nullable Placement after) {
    if (after == null) {
      return "stopped it";
    }
    if (before == null) {
      return after.workers() == 1 ? "gave it 1 GPU" : "gave it %d GPUs".formatted(after.workers());
    }
    return before.workers() == after.workers()
        ? "moved it"
        : "took it from %d to %d workers".formatted(before.workers(), after.workers());
  }
}
