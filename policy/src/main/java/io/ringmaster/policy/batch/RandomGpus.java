package io.ringmaster.policy.batch;

import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Takes free GPUs at random, wherever they are. */
public final class RandomGpus extends GpuPolicy {
  private final IntList free = new IntList();
  private @Nullable GpuPool pool;

  @Override
  void onFirstView(View view) {
    GpuPool all = new GpuPool(view);
    pool = all;
    for (int i = 0; i < all.initiallyFree().size(); i++) {
      free.add(all.initiallyFree().get(i));
    }
  }

  @Override
  void choose(View view, int job, PlacementBuilder into) {
    int[] gpus = new int[view.gpus(job)];
    for (int i = 0; i < gpus.length; i++) {
      int at = view.random().nextInt(free.size());
      gpus[i] = free.get(at);
      free.set(at, free.get(free.size() - 1));
      free.pop();
    }
    Arrays.sort(gpus);
    pool().take(job, gpus, into);
  }

  @Override
  void onEnd(View view, int job) {
    for (int gpu : pool().giveBack(job)) {
      free.add(gpu);
    }
  }

  private GpuPool pool() {
    return java.util.Objects.requireNonNull(pool);
  }
}
