package io.ringmaster.experiments.gadget;

import io.ringmaster.policy.gadget.Objective;
import io.ringmaster.policy.gadget.Utility;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/**
 * What a schedule is valued by.
 *
 * @param utility its name, as the rows and the policy's setting have it
 * @param weight likewise: job or work
 */
public record Goal(String utility, String weight, Objective objective) {
  private static final int KAPPA = 3;
  private static final int ALPHA = 1;

  public static final List<Goal> ALL =
      List.of(
          of("progress", new Utility.Progress(), false),
          of("progress", new Utility.Progress(), true),
          of("saturating", new Utility.Saturating(KAPPA), false),
          of("saturating", new Utility.Saturating(KAPPA), true),
          of("fair", new Utility.Fair(ALPHA), false),
          of("fair", new Utility.Fair(ALPHA), true));

  private static Goal of(String name, Utility utility, boolean byWork) {
    return new Goal(name, byWork ? "work" : "job", new Objective(utility, byWork, 0));
  }

  /** Tells the policy to pursue it. */
  Map<String, String> settings() {
    return Map.of("utility", utility, "weight", weight, "kappa", "" + KAPPA, "alpha", "" + ALPHA);
  }

  /**
   * What was reached of what there is to reach: 1 if every job is finished.
   *
   * @param work of each job, in GPU-seconds
   * @param doneShare of each job
   */
  double value(double[] work, IntToDoubleFunction doneShare) {
    double reached = 0;
    double all = 0;
    for (int job = 0; job < work.length; job++) {
      reached += objective.gain(work[job], 0, doneShare.applyAsDouble(job));
      all += objective.gain(work[job], 0, 1);
    }
    return reached / all;
  }
}
