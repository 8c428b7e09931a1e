package io.ringmaster.policy.batch;

import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Takes the free GPUs with the least execution time given to them so far, wherever they are. */
public final class ListScheduling extends GpuPolicy {
  private final IndexedHeap freeByLoad = IndexedHeap.ascending();
  private double[] plannedSeconds = new double[0];
  private @Nullable GpuPool pool;

  @Override
  void onFirstView(View view) {
    GpuPool all = new GpuPool(view);
    pool = all;
    plannedSeconds = new double[view.cluster().totalGpus()];
    for (int i = 0; i < all.initiallyFree().size(); i++) {
      freeByLoad.put(all.initiallyFree().get(i), 0);
    }
  }

  @Override
  void choose(View view, int job, PlacementBuilder into) {
    int[] gpus = new int[view.gpus(job)];
    for (int i = 0; i < gpus.length; i++) {
      gpus[i] = freeByLoad.poll();
      plannedSeconds[gpus[i]] += view.estimateSeconds(job);
    }
    Arrays.sort(gpus);
    pool().take(job, gpus, into);
  }

  @Override
  void onEnd(View view, int job) {
    for (int gpu : pool().giveBack(job)) {
      freeByLoad.put(gpu, plannedSeconds[gpu]);
    }
  }

  private GpuPool pool() {
    return java.util.Objects.requireNonNull(pool);
  }
}
