package io.ringmaster.bounds;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;

/** Whenever GPUs are free, starts the waiting job with the smallest key that fits. */
final class ListSchedule implements Policy {
  private final double[] keys;
  private final Placer placer;
  private final SizeQueues queue = SizeQueues.ascending();

  ListSchedule(double[] keys, Placer placer) {
    this.keys = keys;
    this.placer = placer;
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      queue.put(job, view.gpus(job), view.demand(job), keys[job]);
    }
    queue.openPass();
    int next = queue.first(view.free().total());
    while (next >= 0) {
      Demand demand = queue.demand(next);
      Placement placement = placer.place(view.free(), demand, queue.gpus(next));
      if (placement == null) {
        queue.refuse(queue.gpus(next), demand);
      } else {
        decisions.start(queue.poll(next), placement);
      }
      next = queue.first(view.free().total());
    }
  }
}
