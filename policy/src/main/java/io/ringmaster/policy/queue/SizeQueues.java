package io.ringmaster.policy.queue;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.IndexedHeap;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Jobs in order, one queue for each size: a pass looks at a dozen heads, not at a hundred thousand
 * jobs. What a size is says {@link BySize}.
 */
public final class SizeQueues {
  private final IndexedHeap.Positions positions = new IndexedHeap.Positions();
  private final BySize<IndexedHeap> bySize;
  private int size;

  /** What {@link #bySize} has, at hand: passes look at these again and again. */
  private int[] gpus = new int[0];

  private IndexedHeap[] heaps = new IndexedHeap[0];

  private SizeQueues(boolean descending) {
    this.bySize = new BySize<>(() -> IndexedHeap.sharing(positions, descending));
  }

  /** Least key at the head, then least tie. */
  public static SizeQueues ascending() {
    return new SizeQueues(false);
  }

  /** Greatest key at the head, then greatest tie. */
  public static SizeQueues descending() {
    return new SizeQueues(true);
  }

  /** Adds a job, or changes its key. */
  public void put(int job, int jobGpus, Demand demand, double key) {
    put(job, jobGpus, demand, key, job);
  }

  /** Adds a job, or changes its key and what orders it among equal keys. */
  public void put(int job, int jobGpus, Demand demand, double key, int tie) {
    IndexedHeap heap = bySize.queue(jobGpus, demand);
    if (heaps.length != bySize.classes()) {
      gpus = IntStream.range(0, bySize.classes()).map(bySize::gpus).toArray();
      heaps = new IndexedHeap[gpus.length];
      Arrays.setAll(heaps, bySize::queue);
    }
    int before = heap.size();
    heap.put(job, key, tie);
    size += heap.size() - before;
  }

  public boolean contains(int job) {
    return heaps.length > 0 && heaps[0].contains(job);
  }

  public void remove(int job, int jobGpus, Demand demand) {
    if (contains(job)) {
      bySize.queue(jobGpus, demand).remove(job);
      size--;
    }
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** How many sizes have been seen. Classes are in ascending order of GPUs. */
  public int classes() {
    return gpus.length;
  }

  public int gpus(int sizeClass) {
    return gpus[sizeClass];
  }

  public Demand demand(int sizeClass) {
    return bySize.demand(sizeClass);
  }

  public IndexedHeap of(int sizeClass) {
    return heaps[sizeClass];
  }

  /** Takes the head of a class. */
  public int poll(int sizeClass) {
    size--;
    return of(sizeClass).poll();
  }

  /** True if the head of one class comes before that of another. */
  public boolean headBefore(int a, int b) {
    double keyA = heaps[a].peekKey();
    double keyB = heaps[b].peekKey();
    return keyA < keyB || (keyA == keyB && heaps[a].peekTie() < heaps[b].peekTie());
  }

  /** Begins a pass: no job was refused yet. */
  public void openPass() {
    bySize.openPass();
  }

  /** Such a job does not fit in this pass, and none does that takes as much of everything. */
  public void refuse(int jobGpus, Demand demand) {
    bySize.refuse(jobGpus, demand, Integer.MAX_VALUE);
  }

  /** The same, but jobs with more than so many GPUs may still fit. */
  public void refuse(int jobGpus, Demand demand, int mostGpus) {
    bySize.refuse(jobGpus, demand, mostGpus);
  }

  /**
   * The class whose head comes first, of those with up to so many GPUs that were not refused in
   * this pass; -1 if there is none.
   */
  public int first(int mostGpus) {
    int best = -1;
    int most = Math.min(mostGpus, bySize.mostOpenGpus());
    for (int c = 0; c < gpus.length && gpus[c] <= most; c++) {
      if (!heaps[c].isEmpty() && !bySize.refused(c) && (best < 0 || headBefore(c, best))) {
        best = c;
      }
    }
    return best;
  }
}
