package io.ringmaster.policy.queue;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.IndexedHeap;

/**
 * Jobs in order, one queue for each size: a pass looks at a dozen heads, not at a hundred thousand
 * jobs. What a size is says {@link BySize}.
 */
public final class SizeQueues {
  private final IndexedHeap.Positions positions = new IndexedHeap.Positions();
  private final BySize<IndexedHeap> bySize;
  private int size;

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
  public void put(int job, int gpus, Demand demand, double key) {
    put(job, gpus, demand, key, job);
  }

  /** Adds a job, or changes its key and what orders it among equal keys. */
  public void put(int job, int gpus, Demand demand, double key, int tie) {
    IndexedHeap heap = bySize.queue(gpus, demand);
    int before = heap.size();
    heap.put(job, key, tie);
    size += heap.size() - before;
  }

  public boolean contains(int job) {
    return bySize.classes() > 0 && of(0).contains(job);
  }

  public void remove(int job, int gpus, Demand demand) {
    if (contains(job)) {
      bySize.queue(gpus, demand).remove(job);
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
    return bySize.classes();
  }

  public int gpus(int sizeClass) {
    return bySize.gpus(sizeClass);
  }

  public Demand demand(int sizeClass) {
    return bySize.demand(sizeClass);
  }

  public IndexedHeap of(int sizeClass) {
    return bySize.queue(sizeClass);
  }

  /** Takes the head of a class. */
  public int poll(int sizeClass) {
    size--;
    return of(sizeClass).poll();
  }

  /** True if the head of one class comes before that of another. */
  public boolean headBefore(int a, int b) {
    double keyA = of(a).peekKey();
    double keyB = of(b).peekKey();
    return keyA < keyB || (keyA == keyB && of(a).peekTie() < of(b).peekTie());
  }

  /** Begins a pass: no job was refused yet. */
  public void openPass() {
    bySize.openPass();
  }

  /** Such a job does not fit in this pass, and none does that takes as much of everything. */
  public void refuse(int gpus, Demand demand) {
    bySize.refuse(gpus, demand, Integer.MAX_VALUE);
  }

  /** The same, but jobs with more than so many GPUs may still fit. */
  public void refuse(int gpus, Demand demand, int mostGpus) {
    bySize.refuse(gpus, demand, mostGpus);
  }

  /**
   * The class whose head comes first, of those with up to so many GPUs that were not refused in
   * this pass; -1 if there is none.
   */
  public int first(int mostGpus) {
    int best = -1;
    for (int c = 0; c < classes() && gpus(c) <= mostGpus; c++) {
      if (!bySize.refused(c) && !of(c).isEmpty() && (best < 0 || headBefore(c, best))) {
        best = c;
      }
    }
    return best;
  }
}
