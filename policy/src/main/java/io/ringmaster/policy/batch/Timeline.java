package io.ringmaster.policy.batch;

import io.ringmaster.model.Placement;
import io.ringmaster.model.Rings;
import io.ringmaster.model.collect.IntList;
import org.jspecify.annotations.Nullable;

/**
 * When the jobs of a batch would end if they were started so, contention included: the speed of a
 * ring changes whenever another comes to or leaves one of its servers. It can be copied half-way,
 * so that trials which begin alike share the beginning.
 */
public final class Timeline {
  private final Batch batch;
  private final Rings rings;
  private final IntList felt = new IntList();
  private final @Nullable Placement[] placements;
  private final double[] done;
  private final double[] speed;
  private final double[] from;
  private final double[] end;
  private final int[] running;
  private int runningCount;
  private int ringCount;
  private double now;

  /** With the jobs that run already. */
  public Timeline(Batch batch) {
    int size = batch.size();
    this.batch = batch;
    rings = batch.rings();
    placements = new Placement[size];
    done = new double[size];
    speed = new double[size];
    from = new double[size];
    end = new double[size];
    running = new int[size];
    now = batch.startSeconds();
    for (int i = batch.waiting(); i < size; i++) {
      start(i, batch.placement(i));
    }
  }

  private Timeline(Timeline other) {
    batch = other.batch;
    rings = other.rings.copy();
    placements = other.placements.clone();
    done = other.done.clone();
    speed = other.speed.clone();
    from = other.from.clone();
    end = other.end.clone();
    running = other.running.clone();
    runningCount = other.runningCount;
    ringCount = other.ringCount;
    now = other.now;
  }

  public Timeline copy() {
    return new Timeline(this);
  }

  public double nowSeconds() {
    return now;
  }

  public boolean isIdle() {
    return runningCount == 0;
  }

  public void start(int index, Placement placement) {
    placements[index] = placement;
    from[index] = now;
    end[index] = Double.POSITIVE_INFINITY;
    running[runningCount++] = index;
    if (batch.sharesLinks(index, placement)) {
      rings.join(index, batch.profile(index), placement);
      ringCount++;
    } else {
      rate(index, placement, 1);
    }
  }

  private void rate(int index, Placement placement, double contenders) {
    double next = batch.speed(index, placement, contenders);
    if (next != speed[index]) {
      done[index] += speed[index] * (now - from[index]);
      from[index] = now;
      speed[index] = next;
      end[index] = batch.slots().atOrAfter(now + (batch.work(index) - done[index]) / next);
    }
  }

  /**
   * Goes on to the next end.
   *
   * @param ended where the jobs that end then are put
   */
  public void advance(IntList ended) {
    rerate();
    double next = Double.POSITIVE_INFINITY;
    for (int i = 0; i < runningCount; i++) {
      next = Math.min(next, end[running[i]]);
    }
    now = next;
    ended.clear();
    int kept = 0;
    for (int i = 0; i < runningCount; i++) {
      int index = running[i];
      if (end[index] <= now) {
        ended.add(index);
        leave(index);
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
    while (ringCount > 0 && now < limit) {
      advance(ended);
    }
    for (int i = 0; i < runningCount; i++) {
      now = Math.max(now, end[running[i]]);
    }
    runningCount = 0;
    return now;
  }

  private void leave(int index) {
    Placement placement = java.util.Objects.requireNonNull(placements[index]);
    if (batch.sharesLinks(index, placement)) {
      rings.leave(index, placement);
      ringCount--;
    }
  }

  private void rerate() {
    if (!rings.anyChanged()) {
      return;
    }
    felt.clear();
    rings.drainFelt(felt);
    for (int i = 0; i < felt.size(); i++) {
      int index = felt.get(i);
      Placement placement = java.util.Objects.requireNonNull(placements[index]);
      rate(index, placement, rings.contenders(index, placement));
    }
  }
}
