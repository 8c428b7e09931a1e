package io.ringmaster.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What an event costs at least: a bare binary heap of times, each event pushed once and popped
 * once, with nothing known of jobs, servers or policies. Dividing by it makes a measurement of one
 * machine mean something on another.
 */
final class Floor {
  private static final int LENGTHS = 1 << 12;

  private final double[] lengths = lengths(LENGTHS);
  private final double[] heap;
  private int size;

  /** A heap that holds as many times as jobs run at once. */
  Floor(int running) {
    heap = new double[Math.max(1, running) + 1];
    while (size < heap.length - 1) {
      push(lengths[size % LENGTHS]);
    }
  }

  /** Lengths of jobs: exponential with mean 1. */
  static double[] lengths(int count) {
    SplittableRandom random = new SplittableRandom(Workloads.SEED);
    double[] lengths = new double[count];
    Arrays.setAll(lengths, _ -> -Math.log(1 - random.nextDouble()));
    return lengths;
  }

  /** Pops and pushes so many events. Returns the time of the last, so that none can be left out. */
  double run(long events) {
    double now = 0;
    for (long event = 0; event < events; event++) {
      now = pop();
      push(now + lengths[(int) (event % LENGTHS)]);
    }
    return now;
  }

  private void push(double time) {
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (heap[parent] <= time) {
        break;
      }
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = time;
  }

  private double pop() {
    double top = heap[0];
    double last = heap[--size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= last) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}
