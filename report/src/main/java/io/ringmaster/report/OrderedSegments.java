package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.Sorted;
import io.ringmaster.simulator.Segments;
import java.util.Arrays;

/**
 * The segments of a run, known by a number in the order in which they end, and the order in which
 * those of a span of time begin: by time, then by job. Segments that lasted no time are left out.
 */
final class OrderedSegments {
  static final int NONE = -1;

  private final Segments segments;

  private int[] firstRow = new int[64];
  private int[] lastRow = new int[64];
  private int size;
  private final int[] ofJob;
  private final int[] next;
  private final boolean resized;

  /** Of the span that was asked for. */
  private int[] byStart = {};

  private double[] startAt = {};
  private int[] place = {};
  private int placesFrom;

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
  }

  private boolean sameSegment(int a, int b) {
    return segments.job(a) == segments.job(b)
        && segments.start(a) == segments.start(b)
        && segments.end(a) == segments.end(b);
  }

  /**
   * Puts the segments that end at a time or later, and begin at another or earlier, in the order in
   * which they begin.
   */
  void order(double from, double to) {
    placesFrom = endingFrom(from);
    int[] inSpan = new int[size - placesFrom];
    double[] starts = new double[inSpan.length];
    int filled = 0;
    for (int segment = placesFrom; segment < size; segment++) {
      if (start(segment) <= to) {
        starts[filled] = start(segment);
        inSpan[filled++] = segment;
      }
    }
    int[] order = Sorted.byKey(Arrays.copyOf(starts, filled));
    byStart = new int[filled];
    startAt = new double[filled];
    place = new int[size - placesFrom];
    Arrays.fill(place, NONE);
    for (int at = 0; at < filled; at++) {
      byStart[at] = inSpan[order[at]];
      startAt[at] = starts[order[at]];
    }
    for (int at = 0; at < filled; ) {
      int next = at + 1;
      while (next < filled && startAt[next] == startAt[at]) {
        next++;
      }
      if (next - at > 1) {
        sortByJob(at, next);
      }
      at = next;
    }
    for (int at = 0; at < filled; at++) {
      place[byStart[at] - placesFrom] = at;
    }
  }

  /** Those that begin at one time. */
  private void sortByJob(int from, int to) {
    long[] keys = new long[to - from];
    for (int i = 0; i < keys.length; i++) {
      int segment = byStart[from + i];
      keys[i] = (long) job(segment) << Integer.SIZE | segment;
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      byStart[from + i] = (int) keys[i];
    }
  }

  /** The first segment that ends at a time or later. */
  int endingFrom(double time) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (end(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
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

  /** How many have a place in the order in which they begin. */
  int ordered() {
    return byStart.length;
  }

  /** The segment at a place in the order in which they begin. */
  int byStart(int at) {
    return byStart[at];
  }

  /** When the segment at a place in that order begins. */
  double startAt(int at) {
    return startAt[at];
  }

  /** Where a segment is in the order in which they begin; none if it begins after the span. */
  int place(int segment) {
    return place[segment - placesFrom];
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
