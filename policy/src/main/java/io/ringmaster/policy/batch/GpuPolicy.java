package io.ringmaster.policy.batch;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;

/**
 * The baselines that SJF-BCO is compared with (Yu et al., MobiHoc 2022, section 7), as they act on
 * idle GPUs: smallest job first, the first that does not fit holds up all behind it, jobs run to
 * their end. They differ in which idle GPUs a job takes.
 */
abstract class GpuPolicy implements Policy {
  private final IndexedHeap waiting = IndexedHeap.ascending();
  private final PlacementBuilder builder = new PlacementBuilder();

  /** Adds the servers of the GPUs that a job takes; there are enough free ones. */
  abstract void choose(View view, int job, PlacementBuilder into);

  void onFirstView(View view) {}

  void onEnd(View view, int job) {}

  private boolean begun;

  @Override
  public final void decide(View view, Decisions decisions) {
    if (!begun) {
      begun = true;
      onFirstView(view);
    }
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      waiting.remove(job);
      onEnd(view, job);
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.waiting(job)) {
        waiting.put(job, view.gpus(job));
      }
    }
    while (!waiting.isEmpty() && view.gpus(waiting.peek()) <= view.free().total()) {
      int job = waiting.poll();
      choose(view, job, builder.clear());
      Placement placement = builder.build();
      decisions.start(job, placement);
    }
  }
}
