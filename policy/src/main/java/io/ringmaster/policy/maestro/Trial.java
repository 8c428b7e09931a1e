package io.ringmaster.policy.maestro;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.batch.Batch;
import io.ringmaster.policy.batch.Timeline;
import io.ringmaster.policy.slots.Embedding;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a batch if its jobs are started in an order, worked out with the model of
 * iteration times, contention included.
 */
final class Trial {
  private final Batch batch;
  private final View view;
  private final Starts starts;
  private final double startSeconds;

  /** Who starts where, at a moment: the same in a trial and in earnest. */
  static final class Starts {
    private final Embedding whole;
    private final Embedding loose;
    private final boolean consolidates;
    private final boolean[] failed;
    private final boolean[] failedLoosely;

    Starts(View view, boolean consolidates) {
      this.whole = Embedding.of(view.cluster());
      this.loose = new Embedding(view.cluster());
      this.consolidates = consolidates;
      this.failed = new boolean[view.cluster().totalGpus() + 1];
      this.failedLoosely = new boolean[failed.length];
    }

    /** Begins a moment. */
    void open() {
      Arrays.fill(failed, false);
      Arrays.fill(failedLoosely, false);
    }

    /** Where a job of a size goes; null if it has to wait. */
    @Nullable Placement place(FreeServers free, int gpus, boolean mayScatter) {
      if (gpus > free.total()) {
        return null;
      }
      if (consolidates && !failed[gpus]) {
        Placement near = whole.place(free, Demand.NONE, gpus);
        if (near != null) {
          return near;
        }
        failed[gpus] = true;
      }
      if ((mayScatter || !consolidates) && !failedLoosely[gpus]) {
        Placement scattered = loose.place(free, Demand.NONE, gpus);
        if (scattered != null) {
          return scattered;
        }
        failedLoosely[gpus] = true;
      }
      return null;
    }
  }

  /** When the last job ends, and the sum of all completions, both from the start of the trial. */
  record Outcome(double makespanSeconds, double sumSeconds) {
    static final Outcome GIVEN_UP = new Outcome(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  Trial(View view, Batch batch, Starts starts) {
    this.view = view;
    this.batch = batch;
    this.starts = starts;
    this.startSeconds = view.nowSeconds();
  }

  /**
   * Starts jobs in an order; what does not fit is passed over.
   *
   * @param order places in the batch of the jobs that wait
   * @param mayScatter by place in the batch: whether a job starts on any free GPUs
   * @param untilSeconds a trial that goes on for longer than this is given up
   * @param ends told when each job ends
   */
  Outcome run(
      int[] order,
      boolean[] mayScatter,
      double untilSeconds,
      @Nullable ObjIntConsumer<Double> ends) {
    ScratchServers free = new ScratchServers(view.free());
    Timeline timeline = new Timeline(batch);
    @Nullable Placement[] placements = new Placement[batch.size()];
    for (int i = batch.waiting(); i < batch.size(); i++) {
      placements[i] = batch.placement(i);
    }
    int[] left = order.clone();
    int waiting = left.length;
    IntList ended = new IntList();
    double sum = 0;
    while (true) {
      starts.open();
      int kept = 0;
      for (int k = 0; k < waiting; k++) {
        int index = left[k];
        Placement placement =
            free.total() == 0 ? null : starts.place(free, batch.workers(index), mayScatter[index]);
        if (placement == null) {
          left[kept++] = index;
        } else {
          free.take(placement, Demand.NONE);
          placements[index] = placement;
          timeline.start(index, placement);
        }
      }
      waiting = kept;
      if (timeline.isIdle()) {
        break;
      }
      timeline.advance(ended);
      double elapsed = timeline.nowSeconds() - startSeconds;
      if (elapsed > untilSeconds) {
        return Outcome.GIVEN_UP;
      }
      for (int i = 0; i < ended.size(); i++) {
        Placement placement = placements[ended.get(i)];
        if (placement != null) {
          free.release(placement, Demand.NONE);
        }
        sum += elapsed;
        if (ends != null) {
          ends.accept(timeline.nowSeconds(), ended.get(i));
        }
      }
    }
    return waiting > 0 ? Outcome.GIVEN_UP : new Outcome(timeline.nowSeconds() - startSeconds, sum);
  }
}
