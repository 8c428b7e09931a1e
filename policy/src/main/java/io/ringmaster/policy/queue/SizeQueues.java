package io.ringmaster.policy.queue;

import io.ringmaster.model.collect.IndexedHeap;
import java.util.Arrays;

/**
 * Jobs in order, one queue for each number of GPUs. Traces have few sizes, and if the first job of
 * a size does not fit, no other of that size does: so a pass looks at a dozen heads, not at a
 * hundred thousand jobs.
 */
public final class SizeQueues {
  private final boolean descending;
  private final IndexedHeap.Positions positions = new IndexedHeap.Positions();
  private int[] gpus = new int[0];
  private IndexedHeap[] heaps = new IndexedHeap[0];
  private int size;

  private SizeQueues(boolean descending) {
    this.descending = descending;
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
  public void put(int job, int jobGpus, double key) {
    put(job, jobGpus, key, job);
  }

  /** Adds a job, or changes its key and what orders it among equal keys. */
  public void put(int job, int jobGpus, double key, int tie) {
    IndexedHeap heap = heapFor(jobGpus);
    int before = heap.size();
    heap.put(job, key, tie);
    size += heap.size() - before;
  }

  public boolean contains(int job) {
    return heaps.length > 0 && heaps[0].contains(job);
  }

  public void remove(int job, int jobGpus) {
    if (contains(job)) {
      heapFor(jobGpus).remove(job);
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

  public IndexedHeap of(int sizeClass) {
    return heaps[sizeClass];
  }

  /** Takes the head of a class. */
  public int poll(int sizeClass) {
    size--;
    return heaps[sizeClass].poll();
  }

  /** True if the head of one class comes before that of another. */
  public boolean headBefore(int a, int b) {
    double keyA = heaps[a].peekKey();
    double keyB = heaps[b].peekKey();
    return keyA < keyB || (keyA == keyB && heaps[a].peekTie() < heaps[b].peekTie());
  }

  private IndexedHeap heapFor(int jobGpus) {
    int at = Arrays.binarySearch(gpus, jobGpus);
    if (at >= 0) {
      return heaps[at];
    }
    int insertion = -at - 1;
    gpus = inserted(gpus, insertion, jobGpus);
    IndexedHeap[] grown = new IndexedHeap[heaps.length + 1];
    System.arraycopy(heaps, 0, grown, 0, insertion);
    System.arraycopy(heaps, insertion, grown, insertion + 1, heaps.length - insertion);
    grown[insertion] = IndexedHeap.sharing(positions, descending);
    heaps = grown;
    return grown[insertion];
  }

  private static int[] inserted(int[] array, int at, int value) {
    int[] grown = new int[array.length + 1];
    System.arraycopy(array, 0, grown, 0, at);
    grown[at] = value;
    System.arraycopy(array, at, grown, at + 1, array.length - at);
    return grown;
  }
}
