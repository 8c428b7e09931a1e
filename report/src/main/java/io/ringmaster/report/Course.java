package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.simulator.Stretches;
import java.util.Arrays;

/**
 * The stretches of a run, known by a number in the order in which they end, and the order in which
 * they begin: by time, then by job. Stretches that lasted no time are left out.
 */
final class Course {
  static final int NONE = -1;

  private static final int DIGIT_BITS = 11;

  private final Stretches rows;

  private int[] firstRow = new int[64];
  private int[] lastRow = new int[64];
  private int size;
  private final int[] ofJob;
  private final int[] next;
  private final int[] byStart;
  private final double[] startAt;
  private final int[] place;
  private final boolean resized;

  Course(Jobs jobs, Stretches rows) {
    this.rows = rows;
    for (int row = 0; row < rows.size(); row++) {
      if (rows.start(row) == rows.end(row)) {
        continue;
      }
      firstRow = Grow.ensure(firstRow, size + 1);
      lastRow = Grow.ensure(lastRow, size + 1);
      if (size == 0 || !sameStretch(lastRow[size - 1], row)) {
        firstRow[size++] = row;
      }
      lastRow[size - 1] = row;
    }
    ofJob = new int[jobs.size()];
    Arrays.fill(ofJob, NONE);
    next = new int[size];
    boolean differ = false;
    for (int stretch = size - 1; stretch >= 0; stretch--) {
      int later = ofJob[job(stretch)];
      differ |= later != NONE && workers(later) != workers(stretch);
      next[stretch] = later;
      ofJob[job(stretch)] = stretch;
    }
    resized = differ;
    byStart = new int[size];
    startAt = new double[size];
    place = new int[size];
    order();
  }

  private boolean sameStretch(int a, int b) {
    return rows.job(a) == rows.job(b)
        && rows.start(a) == rows.start(b)
        && rows.end(a) == rows.end(b);
  }

  /**
   * By the bits of their starts, which for times from 0 on are in the order of the times: digit by
   * digit from the last, so that stretches of one start stay in the order of their jobs.
   */
  private void order() {
    int[] now = new int[size];
    int filled = 0;
    for (int job = 0; job < ofJob.length; job++) {
      for (int stretch = ofJob[job]; stretch != NONE; stretch = next[stretch]) {
        now[filled++] = stretch;
      }
    }
    long[] keys = new long[size];
    for (int at = 0; at < size; at++) {
      keys[at] = Double.doubleToLongBits(start(now[at]) + 0.0);
    }
    int[] then = byStart;
    long[] sorted = new long[size];
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      int[] from = new int[(1 << DIGIT_BITS) + 1];
      for (long key : keys) {
        from[digit(key, shift) + 1]++;
      }
      for (int d = 0; d < 1 << DIGIT_BITS; d++) {
        from[d + 1] += from[d];
      }
      for (int at = 0; at < size; at++) {
        int to = from[digit(keys[at], shift)]++;
        sorted[to] = keys[at];
        then[to] = now[at];
      }
      int[] swappedStretches = now;
      now = then;
      then = swappedStretches;
      long[] swappedKeys = keys;
      keys = sorted;
      sorted = swappedKeys;
    }
    for (int at = 0; at < size; at++) {
      byStart[at] = now[at];
      startAt[at] = Double.longBitsToDouble(keys[at]);
      place[now[at]] = at;
    }
  }

  private static int digit(long key, int shift) {
    return (int) (key >>> shift) & ((1 << DIGIT_BITS) - 1);
  }

  int size() {
    return size;
  }

  /** Whether any job had one number of GPUs and then another. */
  boolean resized() {
    return resized;
  }

  /** The job's first stretch. */
  int first(int job) {
    return ofJob[job];
  }

  /** The stretch of the same job after another. */
  int next(int stretch) {
    return next[stretch];
  }

  /** The stretch at a place in the order in which they begin. */
  int byStart(int at) {
    return byStart[at];
  }

  /** When the stretch at a place in that order begins. */
  double startAt(int at) {
    return startAt[at];
  }

  /** Where a stretch is in the order in which they begin. */
  int place(int stretch) {
    return place[stretch];
  }

  int job(int stretch) {
    return rows.job(firstRow[stretch]);
  }

  double start(int stretch) {
    return rows.start(firstRow[stretch]);
  }

  double end(int stretch) {
    return rows.end(firstRow[stretch]);
  }

  int workers(int stretch) {
    int sum = 0;
    for (int row = firstRow[stretch]; row <= lastRow[stretch]; row++) {
      sum += rows.gpus(row);
    }
    return sum;
  }

  Placement placement(int stretch) {
    int from = firstRow[stretch];
    int servers = lastRow[stretch] + 1 - from;
    if (servers == 1) {
      return Placement.on(rows.server(from), rows.gpus(from));
    }
    int[] on = new int[servers];
    int[] gpus = new int[servers];
    for (int i = 0; i < servers; i++) {
      on[i] = rows.server(from + i);
      gpus[i] = rows.gpus(from + i);
    }
    return Placement.of(on, gpus);
  }
}
