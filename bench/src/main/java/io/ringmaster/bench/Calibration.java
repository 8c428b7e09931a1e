package io.ringmaster.bench;

/**
 * What other programs are measured beside: arrays, a heap and text, as a run has them, and nothing
 * of Ringmaster. It is frozen. Its CPU time says what a second of this machine is worth just now; a
 * run's time over it means the same on a busy machine, and nearly the same on another. Whoever
 * changes a line of it measures all of bench/ranges.yaml anew.
 *
 * <p>It is run as a process of its own, with the options of the launcher's JVM.
 */
public final class Calibration {
  private static final int CELLS = 1 << 20;
  private static final int WALKS = 6;
  private static final int HEAP = 1 << 14;
  private static final int EVENTS = 1_000_000;
  private static final int ROWS = 300_000;
  private static final long EXPECTED = -2_815_981_950_971_819_825L;

  private Calibration() {}

  public static void main(String[] args) {
    long found = 31 * (31 * arrays() + heap()) + text();
    if (found != EXPECTED) {
      throw new IllegalStateException("the kernel came to " + found + ", not to " + EXPECTED);
    }
  }

  /** Cells read in an order that no cache foresees, as jobs end. */
  private static long arrays() {
    int[] next = new int[CELLS];
    double[] weight = new double[CELLS];
    for (int i = 0; i < CELLS; i++) {
      // A generator of full period: it comes to every cell once.
      next[i] = (int) ((i * 0x9E3779B1L + 0x7F4A7C15L) & (CELLS - 1));
      weight[i] = (i * 37 % 1009) / 8.0;
    }
    double sum = 0;
    int at = 0;
    for (int step = 0; step < WALKS * CELLS; step++) {
      sum += weight[at];
      weight[at] = 1 - weight[at];
      at = next[at];
    }
    return (long) sum;
  }

  private static long heap() {
    long state = 1;
    long[] heap = new long[HEAP + 1];
    int size = 0;
    long last = 0;
    for (int event = 0; event < EVENTS; event++) {
      if (size == HEAP) {
        last = heap[0];
        long moved = heap[--size];
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
          if (child + 1 < size && heap[child + 1] < heap[child]) {
            child++;
          }
          if (heap[child] >= moved) {
            break;
          }
          heap[hole] = heap[child];
          hole = child;
        }
        heap[hole] = moved;
      }
      state = state * 6364136223846793005L + 1442695040888963407L;
      long key = last + (state >>> 40);
      int hole = size++;
      while (hole > 0 && heap[(hole - 1) >>> 1] > key) {
        heap[hole] = heap[(hole - 1) >>> 1];
        hole = (hole - 1) >>> 1;
      }
      heap[hole] = key;
    }
    return last;
  }

  /** Rows written digit by digit and read again. */
  private static long text() {
    byte[] row = new byte[64];
    long sum = 0;
    for (int i = 0; i < ROWS; i++) {
      int end = 0;
      for (int column = 0; column < 5; column++) {
        long value = (long) i * (column + 7919) % 10_000_019;
        int from = end;
        do {
          row[end++] = (byte) ('0' + value % 10);
          value /= 10;
        } while (value > 0);
        for (int left = from, right = end - 1; left < right; left++, right--) {
          byte swapped = row[left];
          row[left] = row[right];
          row[right] = swapped;
        }
        row[end++] = ',';
      }
      long value = 0;
      for (int at = 0; at < end; at++) {
        if (row[at] == ',') {
          sum = sum * 31 + value;
          value = 0;
        } else {
          value = value * 10 + row[at] - '0';
        }
      }
    }
    return sum;
  }
}
