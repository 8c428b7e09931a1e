package io.ringmaster.bounds;

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
      queue.put(job, view.gpus(job), keys[job]);
    }
    boolean[] failed = new boolean[queue.classes()];
    for (int next = head(view, failed); next >= 0; next = head(view, failed)) {
      Placement placement = placer.place(view.free(), queue.gpus(next));
      if (placement == null) {
        failed[next] = true;
      } else {
        decisions.start(queue.poll(next), placement);
      }
    }
  }

  private int head(View view, boolean[] failed) {
    int best = -1;
    for (int c = 0; c < failed.length && queue.gpus(c) <= view.free().total(); c++) {
      if (!failed[c] && !queue.of(c).isEmpty() && (best < 0 || queue.headBefore(c, best))) {
        best = c;
      }
    }
    return best;
  }
}
