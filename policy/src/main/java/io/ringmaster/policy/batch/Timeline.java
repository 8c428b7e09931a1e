package io.ringmaster.policy.batch;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.execution.Progress;

/**
 * When the jobs of a batch would end if they were started so, contention included. It can be copied
 * half-way, so that trials which begin alike share the beginning.
 */
public final class Timeline {
  private final Batch batch;
  private final Progress progress;
  private final double[] end;
  private final int[] running;
  private int runningCount;

  /** With the jobs that run already. */
  public Timeline(Batch batch) {
    this.batch = batch;
    progress = batch.progress();
    end = new double[batch.size()];
    running = new int[batch.size()];
    for (int i = batch.waiting(); i < end.length; i++) {
      begin(i);
      if (progress.speed(i) > 0) {
        expectEnd(i);
      }
    }
  }

  private Timeline(Timeline other) {
    batch = other.batch;
    progress = other.progress.copy();
    end = other.end.clone();
    running = other.running.clone();
    runningCount = other.runningCount;
  }

  public Timeline copy() {
    return new Timeline(this);
  }

  public double nowSeconds() {
    return progress.nowSeconds();
  }

  public boolean isIdle() {
    return runningCount == 0;
  }

  public void start(int index, Placement placement) {
    begin(index);
    if (progress.start(index, placement, progress.nowSeconds())) {
      expectEnd(index);
    }
  }

  private void begin(int index) {
    running[runningCount++] = index;
    end[index] = Double.POSITIVE_INFINITY;
  }

  /** One that gets no further, as where an iteration takes longer than a slot, never ends. */
  private void expectEnd(int index) {
    double seconds = progress.endOf(index, batch.work(index));
    end[index] = Double.isNaN(seconds) ? Double.POSITIVE_INFINITY : seconds;
  }

  /**
   * Goes on to the next end.
   *
   * @param ended where the jobs that end then are put
   */
  public void advance(IntList ended) {
    IntList changed = progress.rerate();
    changed.forEach(this::expectEnd);
    double next = Double.POSITIVE_INFINITY;
    for (int i = 0; i < runningCount; i++) {
      next = Math.min(next, end[running[i]]);
    }
    progress.goTo(next);
    ended.clear();
    int kept = 0;
    for (int i = 0; i < runningCount; i++) {
      int index = running[i];
      if (end[index] <= next) {
        ended.add(index);
        progress.stop(index);
      } else {
        running[kept++] = index;
      }
    }
    runningCount = kept;
  }

  /**
   * Goes on until all have ended or a time is reached. Once no rings are left, no speed changes any
   * more.
   */
  public double end(IntList ended, double limit) {
    while (progress.anyRings() && nowSeconds() < limit) {
      advance(ended);
    }
    double last = nowSeconds();
    for (int i = 0; i < runningCount; i++) {
      last = Math.max(last, end[running[i]]);
    }
    progress.goTo(last);
    runningCount = 0;
    return last;
  }
}
