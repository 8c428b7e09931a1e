package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.LazyHeap;
import io.ringmaster.simulator.Stretches;
import java.util.Arrays;

/**
 * The stretches of a run, known by a number in the order in which they end, and the order in which
 * they begin: by time, then by job. Stretches that lasted no time are left out.
 */
final class Course {
  static final int NONE = -1;

  private final Stretches rows;

  private int[] firstRow = new int[64];
  private int[] lastRow = new int[64];
  private int size;
  private final int[] ofJob;
  private final int[] next;
  private final int[] byStart;
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
    place = new int[size];
    order();
  }

  private boolean sameStretch(int a, int b) {
    return rows.job(a) == rows.job(b)
        && rows.start(a) == rows.start(b)
        && rows.end(a) == rows.end(b);
  }

  private void order() {
    LazyHeap begins = new LazyHeap();
    int[] upcoming = ofJob.clone();
    for (int job = 0; job < upcoming.length; job++) {
      if (upcoming[job] != NONE) {
        begins.put(job, start(upcoming[job]));
      }
    }
    for (int at = 0; at < size; at++) {
      int job = begins.poll();
      int stretch = upcoming[job];
      byStart[at] = stretch;
      place[stretch] = at;
      upcoming[job] = next[stretch];
      if (next[stretch] != NONE) {
        begins.put(job, start(next[stretch]));
      }
    }
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
