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
 * job first, longest job first. Blocking, the first job that does not fit holds up all behind it;
 * otherwise it is passed over.
 */
public final class QueuePolicy implements Policy {
  public static final Parameter BLOCKING =
      Parameter.flag("blocking", "the first job that does not fit holds up all behind it", true);

  /** Of the same name; by default jobs that do not fit are passed over. */
  public static final Parameter SKIPPING = Parameter.flag(BLOCKING.name(), BLOCKING.help(), false);

  /** What a job's length is multiplied by to give its place in the queue. */
  private final int byLength;

  private final boolean blocking;
  private final Placer placer;
  private final SizeQueues queue = SizeQueues.ascending();
  private boolean[] failed = new boolean[0];

  private QueuePolicy(int byLength, Settings settings, Cluster cluster) {
    this.byLength = byLength;
    this.blocking = settings.flag(BLOCKING.name());
    this.placer = Placer.of(settings, cluster);
  }

  public static QueuePolicy fifo(Settings settings, Cluster cluster) {
    return new QueuePolicy(0, settings, cluster);
  }

  public static QueuePolicy sjf(Settings settings, Cluster cluster) {
    return new QueuePolicy(1, settings, cluster);
  }

  public static QueuePolicy longestFirst(Settings settings, Cluster cluster) {
    return new QueuePolicy(-1, settings, cluster);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (view.waiting(job)) {
        queue.put(job, view.gpus(job), byLength == 0 ? 0 : byLength * view.estimateSeconds(job));
      }
    }
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      queue.remove(job, view.gpus(job));
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
