package io.ringmaster.policy.batch;

import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;

/** Takes the first free GPUs in the order of servers. */
public final class FirstFit extends GpuPolicy {
  @Override
  void choose(View view, int job, PlacementBuilder into) {
    int left = view.gpus(job);
    for (int s = view.free().firstWithRoom(0); left > 0; s = view.free().firstWithRoom(s + 1)) {
      int taken = Math.min(left, view.free().gpus(s));
      into.add(s, taken);
      left -= taken;
    }
  }
}
