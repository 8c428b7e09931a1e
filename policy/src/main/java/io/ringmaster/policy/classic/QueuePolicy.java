package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.Arrays;

/**
 * Starts jobs in a fixed order and lets them run to their end: first come first served, shortest
 * job first, longest job first; with the workers that jobs ask for, or with the same number for
 * all. Blocking, the first job that does not fit holds up all behind it; otherwise it is passed
 * over.
 */
public final class QueuePolicy implements Policy {
  public static final Parameter BLOCKING =
      Parameter.flag("blocking", "the first job that does not fit holds up all behind it", true);

  /** Of the same name; by default jobs that do not fit are passed over. */
  public static final Parameter SKIPPING = Parameter.flag(BLOCKING.name(), BLOCKING.help(), false);

  /** How many workers {@code fixed} gives every job. */
  public static final Parameter WORKERS =
      Parameter.whole(
          "workers", "workers of every job, as far as its range allows", 8, 1, 1_000_000);

  /** What a job's length is multiplied by to give its place in the queue. */
  private final int byLength;

  private final Size size;
  private final boolean blocking;
  private final Placer placer;
  private final SizeQueues queue = SizeQueues.ascending();
  private boolean[] failed = new boolean[0];

  /** How many workers a job is to have. */
  interface Size {
    int of(View view, int job);

    /** The same for all, as far as their ranges and the cluster allow. */
    static Size fixed(Settings settings) {
      int workers = settings.whole(WORKERS.name());
      return (view, job) ->
          Math.max(
              view.minGpus(job),
              Math.min(
                  workers,
                  Math.min(view.maxGpus(job), view.cluster().mostWorkers(view.demand(job)))));
    }
  }

  private QueuePolicy(int byLength, Size size, Settings settings, Cluster cluster) {
    this.byLength = byLength;
    this.size = size;
    this.blocking = settings.flag(BLOCKING.name());
    this.placer = Placer.of(settings, cluster);
  }

  public static QueuePolicy fifo(Settings settings, Cluster cluster) {
    return new QueuePolicy(0, View::gpus, settings, cluster);
  }

  public static QueuePolicy sjf(Settings settings, Cluster cluster) {
    return new QueuePolicy(1, View::gpus, settings, cluster);
  }

  public static QueuePolicy longestFirst(Settings settings, Cluster cluster) {
    return new QueuePolicy(-1, View::gpus, settings, cluster);
  }

  /** First come, first served, with the same number of workers for all. */
  public static QueuePolicy fixed(Settings settings, Cluster cluster) {
    return new QueuePolicy(0, Size.fixed(settings), settings, cluster);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.waiting(job)) {
        queue.put(
            job, size.of(view, job), byLength == 0 ? 0 : byLength * view.estimateSeconds(job));
      }
    }
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      queue.remove(job, size.of(view, job));
    }
    failed = cleared(failed, queue.classes());
    while (true) {
      int next = blocking ? head(Integer.MAX_VALUE) : head(view.free().total());
      if (next < 0) {
        return;
      }
      Placement placement = placer.place(view.free(), queue.gpus(next));
      if (placement != null) {
        decisions.start(queue.poll(next), placement);
      } else if (blocking) {
        return;
      } else {
        failed[next] = true;
      }
    }
  }

  /** The class whose head comes first among those that may fit, or -1. */
  private int head(int mostGpus) {
    int best = -1;
    for (int c = 0; c < queue.classes() && queue.gpus(c) <= mostGpus; c++) {
      if (!failed[c] && !queue.of(c).isEmpty() && (best < 0 || queue.headBefore(c, best))) {
        best = c;
      }
    }
    return best;
  }

  static boolean[] cleared(boolean[] flags, int length) {
    if (flags.length != length) {
      return new boolean[length];
    }
    Arrays.fill(flags, false);
    return flags;
  }
}
