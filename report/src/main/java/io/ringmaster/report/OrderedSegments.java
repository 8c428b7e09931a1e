package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.simulator.Segments;
import java.util.Arrays;

/**
 * The segments of a run, known by a number in the order in which they end, and the order in which
 * they begin: by time, then by job. Segments that lasted no time are left out.
 */
final class OrderedSegments {
  static final int NONE = -1;

  private static final int DIGIT_BITS = 11;

  private final Segments segments;

  private int[] firstRow = new int[64];
  private int[] lastRow = new int[64];
  private int size;
  private final int[] ofJob;
  private final int[] next;
  private final int[] byStart;
  private final double[] startAt;
  private final int[] place;
  private final boolean resized;

  OrderedSegments(Jobs jobs, Segments segments) {
    this.segments = segments;
    for (int row = 0; row < segments.size(); row++) {
      if (segments.start(row) == segments.end(row)) {
        continue;
      }
      firstRow = Grow.ensure(firstRow, size + 1);
      lastRow = Grow.ensure(lastRow, size + 1);
      if (size == 0 || !sameSegment(lastRow[size - 1], row)) {
        firstRow[size++] = row;
      }
      lastRow[size - 1] = row;
    }
    ofJob = new int[jobs.size()];
    Arrays.fill(ofJob, NONE);
    next = new int[size];
    boolean differ = false;
    for (int segment = size - 1; segment >= 0; segment--) {
      int later = ofJob[job(segment)];
      differ |= later != NONE && workers(later) != workers(segment);
      next[segment] = later;
      ofJob[job(segment)] = segment;
    }
    resized = differ;
    byStart = new int[size];
    startAt = new double[size];
    place = new int[size];
    order();
  }

  private boolean sameSegment(int a, int b) {
    return segments.job(a) == segments.job(b)
        && segments.start(a) == segments.start(b)
        && segments.end(a) == segments.end(b);
  }

  /**
   * By the bits of their starts, which for times from 0 on are in the order of the times: digit by
   * digit from the last, so that segments of one start stay in the order of their jobs.
   */
  private void order() {
    int[] now = new int[size];
    int filled = 0;
    for (int job = 0; job < ofJob.length; job++) {
      for (int segment = ofJob[job]; segment != NONE; segment = next[segment]) {
        now[filled++] = segment;
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
      int[] swappedSegments = now;
      now = then;
      then = swappedSegments;
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

  int first(int job) {
    return ofJob[job];
  }

  /** The segment of the same job after another. */
  int next(int segment) {
    return next[segment];
  }

  /** The segment at a place in the order in which they begin. */
  int byStart(int at) {
    return byStart[at];
  }

  /** When the segment at a place in that order begins. */
  double startAt(int at) {
    return startAt[at];
  }

  /** Where a segment is in the order in which they begin. */
  int place(int segment) {
    return place[segment];
  }

  int job(int segment) {
    return segments.job(firstRow[segment]);
  }

  double start(int segment) {
    return segments.start(firstRow[segment]);
  }

  double end(int segment) {
    return segments.end(firstRow[segment]);
  }

  int workers(int segment) {
    int sum = 0;
    for (int row = firstRow[segment]; row <= lastRow[segment]; row++) {
      sum += segments.gpus(row);
    }
    return sum;
  }

  Placement placement(int segment) {
    int from = firstRow[segment];
    int servers = lastRow[segment] + 1 - from;
    if (servers == 1) {
      return Placement.on(segments.server(from), segments.gpus(from));
    }
    int[] on = new int[servers];
    int[] gpus = new int[servers];
    for (int i = 0; i < servers; i++) {
      on[i] = segments.server(from + i);
      gpus[i] = segments.gpus(from + i);
    }
    return Placement.of(on, gpus);
  }
}
