package io.ringmaster.policy.batch;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.PlacementBuilder;
import java.util.HashMap;
import java.util.Map;

/** Knows each GPU by a number, and which of them each running job holds. */
final class GpuPool {
  private final int[] serverOf;
  private final IntList initiallyFree = new IntList();
  private final Map<Integer, int[]> held = new HashMap<>();

  /** All GPUs of the cluster, those that running jobs hold already dealt out to them. */
  GpuPool(View view) {
    serverOf = new int[view.cluster().totalGpus()];
    int[] next = new int[view.cluster().size()];
    int gpu = 0;
    for (int s = 0; s < next.length; s++) {
      next[s] = gpu;
      for (int g = 0; g < view.cluster().gpus(s); g++) {
        serverOf[gpu++] = s;
      }
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.running(job)) {
        held.put(job, dealt(view.placement(job), next));
      }
    }
    gpu = 0;
    for (int s = 0; s < next.length; s++) {
      gpu += view.cluster().gpus(s);
      for (int g = next[s]; g < gpu; g++) {
        initiallyFree.add(g);
      }
    }
  }

  private static int[] dealt(Placement placement, int[] next) {
    int[] gpus = new int[placement.workers()];
    int at = 0;
    for (int i = 0; i < placement.size(); i++) {
      for (int g = 0; g < placement.gpus(i); g++) {
        gpus[at++] = next[placement.server(i)]++;
      }
    }
    return gpus;
  }

  IntList initiallyFree() {
    return initiallyFree;
  }

  /** A job takes these GPUs. */
  void take(int job, int[] gpus, PlacementBuilder into) {
    held.put(job, gpus);
    for (int gpu : gpus) {
      into.merge(serverOf[gpu], 1);
    }
  }

  /** The GPUs that an ended job gives back; none if it never ran. */
  int[] giveBack(int job) {
    int[] gpus = held.remove(job);
    return gpus == null ? new int[0] : gpus;
  }
}
