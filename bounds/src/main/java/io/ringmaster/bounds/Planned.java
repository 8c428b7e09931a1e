package io.ringmaster.bounds;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Carries a plan out. Jobs start in the planned order, as soon as their GPUs are free: none takes a
 * server that one before it still waits for.
 */
final class Planned implements Policy {
  private final Plan plan;
  private final boolean onTime;
  private final Placer anywhere;
  private final int[] order;
  private final BitSet left = new BitSet();

  /**
   * @param onTime no job starts before its planned time, even if it could
   * @param anywhere how GPUs are chosen if the plan leaves that open
   */
  Planned(Plan plan, boolean onTime, Placer anywhere) {
    this.plan = plan;
    this.onTime = onTime;
    this.anywhere = anywhere;
    this.order =
        IntStream.range(0, plan.startSeconds().length)
            .boxed()
            .sorted(Comparator.comparingDouble(job -> plan.startSeconds()[job]))
            .mapToInt(Integer::intValue)
            .toArray();
    left.set(0, order.length);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    BitSet claimed = new BitSet();
    for (int i = left.nextSetBit(0); i >= 0; i = left.nextSetBit(i + 1)) {
      int job = order[i];
      boolean due = !onTime || plan.startSeconds()[job] <= view.nowSeconds();
      Placement placement = due && view.waiting(job) ? free(view, job, claimed) : null;
      if (placement != null) {
        decisions.start(job, placement);
        left.clear(i);
        continue;
      }
      if (!due) {
        decisions.wakeAt(plan.startSeconds()[job]);
      }
      if (plan.placements().isEmpty()) {
        return;
      }
      Placement own = plan.placements().get(job);
      for (int s = 0; s < own.size(); s++) {
        claimed.set(own.server(s));
      }
    }
  }

  private @Nullable Placement free(View view, int job, BitSet claimed) {
    if (plan.placements().isEmpty()) {
      return anywhere.place(view.free(), view.demand(job), view.gpus(job));
    }
    Placement own = plan.placements().get(job);
    for (int s = 0; s < own.size(); s++) {
      if (claimed.get(own.server(s))) {
        return null;
      }
    }
    return view.free().holds(own, view.demand(job)) ? own : null;
  }
}
