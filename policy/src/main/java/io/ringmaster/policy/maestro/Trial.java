package io.ringmaster.policy.maestro;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.batch.Batch;
import io.ringmaster.policy.batch.Timeline;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.BySize;
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
    private final Placer whole;
    private final Placer loose;
    private final boolean consolidates;

    /** What found no place at this moment. */
    private final BySize<Failed> failed = new BySize<>(Failed::new);

    private int moment;

    private static final class Failed {
      int near = -1;
      int anywhere = -1;
    }

    Starts(View view, boolean consolidates) {
      this.whole = new Pack(view.cluster());
      this.loose = new Pack();
      this.consolidates = consolidates;
    }

    /** Begins a moment. */
    void open() {
      moment++;
    }

    /** Where a job of a size goes; null if it has to wait. */
    @Nullable Placement place(FreeServers free, Demand demand, int gpus, boolean mayScatter) {
      if (gpus > free.total()) {
        return null;
      }
      Failed size = failed.queue(gpus, demand);
      if (consolidates && size.near != moment) {
        Placement near = whole.place(free, demand, gpus);
        if (near != null) {
          return near;
        }
        size.near = moment;
      }
      if ((mayScatter || !consolidates) && size.anywhere != moment) {
        Placement scattered = loose.place(free, demand, gpus);
        if (scattered != null) {
          return scattered;
        }
        size.anywhere = moment;
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

  private Demand demand(int index) {
    return view.demand(batch.job(index));
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
            free.total() == 0
                ? null
                : starts.place(free, demand(index), batch.workers(index), mayScatter[index]);
        if (placement == null) {
          left[kept++] = index;
        } else {
          free.take(placement, demand(index));
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
          free.release(placement, demand(ended.get(i)));
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
