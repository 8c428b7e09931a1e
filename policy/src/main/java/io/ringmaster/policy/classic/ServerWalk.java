package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.View;
import io.ringmaster.policy.queue.SizeQueues;
import org.jspecify.annotations.Nullable;

/**
 * The walk where a job needs particular servers. Waiting jobs are taken in order. One that finds no
 * place may have servers cleared of running jobs that are all behind it: the one server, or the
 * fewest whole servers, where the foremost of those is as far back as can be. If there are none, it
 * is passed over, and so are all later jobs of its size or larger.
 */
final class ServerWalk implements PreemptivePolicy.Walk {
  private final PreemptivePolicy policy;
  private final SizeQueues waiting;
  private final Clearable clearable;
  private final int maxServerGpus;
  private final IntList victims = new IntList();
  private final IntList started = new IntList();

  ServerWalk(PreemptivePolicy policy, SizeQueues waiting, Cluster cluster) {
    this.policy = policy;
    this.waiting = waiting;
    this.clearable = new Clearable(policy, cluster);
    this.maxServerGpus = cluster.maxServerGpus();
  }

  @Override
  public void put(View view, int job, double runningKey, int tie) {
    clearable.put(job, view.placement(job), runningKey, policy.pace(view.gpus(job)));
  }

  @Override
  public void remove(View view, int job) {
    clearable.remove(job);
  }

  @Override
  public void walk(View view, Decisions decisions) {
    int refused = Integer.MAX_VALUE;
    int refusedLarge = Integer.MAX_VALUE;
    started.clear();
    while (true) {
      int next = firstWaiting(refused, refusedLarge);
      if (next < 0) {
        break;
      }
      int job = waiting.of(next).peek();
      Placement placement = policy.place(view, job);
      if (placement == null) {
        placement = clear(view, decisions, job, waiting.of(next).peekKey());
      }
      if (placement == null && view.gpus(job) > maxServerGpus) {
        refusedLarge = view.gpus(job);
      } else if (placement == null) {
        refused = view.gpus(job);
      } else {
        waiting.remove(job, view.gpus(job));
        policy.start(view, decisions, job, placement);
        // Ahead of everybody for the rest of the pass; where it belongs, from the next one on.
        clearable.put(job, placement, Double.NEGATIVE_INFINITY, policy.pace(view.gpus(job)));
        started.add(job);
      }
    }
    policy.rankStarted(view, started);
  }

  /**
   * The class of the first waiting job with fewer GPUs than were refused, or -1. Jobs larger than a
   * server need whole ones, so one that fits a server may be refused before them.
   */
  private int firstWaiting(int refused, int refusedLarge) {
    int best = -1;
    for (int c = 0; c < waiting.classes(); c++) {
      int limit = waiting.gpus(c) > maxServerGpus ? refusedLarge : refused;
      if (waiting.gpus(c) < limit
          && !waiting.of(c).isEmpty()
          && (best < 0 || waiting.headBefore(c, best))) {
        best = c;
      }
    }
    return best;
  }

  /** Makes room for a job by suspending jobs behind it. Null if that cannot be. */
  private @Nullable Placement clear(View view, Decisions decisions, int job, double key) {
    victims.clear();
    if (!clearable.find(view, view.gpus(job), key, PreemptivePolicy.winsTies(view, job), victims)) {
      return null;
    }
    for (int i = 0; i < victims.size(); i++) {
      clearable.remove(victims.get(i));
    }
    policy.suspend(view, decisions, victims);
    return policy.place(view, job);
  }
}
