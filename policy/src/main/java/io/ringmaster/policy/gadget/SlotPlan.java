package io.ringmaster.policy.gadget;

import io.ringmaster.model.Placement;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who runs where in a slot.
 *
 * @param placements one for each job of the problem, in its order; null: the job does not run
 * @param profit the sum of their profits
 */
public record SlotPlan(List<@Nullable Placement> placements, double profit) {

  public static SlotPlan of(SlotProblem problem, List<@Nullable Placement> placements) {
    double sum = 0;
    for (int i = 0; i < placements.size(); i++) {
      Placement placement = placements.get(i);
      sum += placement == null ? 0 : problem.jobs().get(i).profit(placement);
    }
    return new SlotPlan(Collections.unmodifiableList(placements), sum);
  }
}
