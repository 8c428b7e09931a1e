package io.ringmaster.bench;

import io.ringmaster.model.collect.IndexedHeap;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The queue of events, as a run uses it: the size stays, the keys grow. */
public class HeapBenchmark extends ShortBenchmark {
  private static final int MANY = 1 << 12;

  @Param({"1000", "100000"})
  public int size;

  private final IndexedHeap heap = IndexedHeap.ascending();
  private final double[] lengths = Floor.lengths(MANY);
  private final int[] ids = new int[MANY];
  private int next;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(Workloads.SEED);
    for (int i = 0; i < size; i++) {
      heap.put(i, lengths[i % MANY]);
    }
    for (int i = 0; i < MANY; i++) {
      ids[i] = random.nextInt(size);
    }
  }

  /** The first event happens, and another is put in its place. */
  @Benchmark
  public int pollPut() {
    double now = heap.peekKey();
    int id = heap.poll();
    heap.put(id, now + lengths[next++ & (MANY - 1)]);
    return id;
  }

  /** A job is re-rated: its end moves. */
  @Benchmark
  public void change() {
    int at = next++ & (MANY - 1);
    heap.put(ids[at], lengths[at * 7 & (MANY - 1)]);
  }
}
