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
 * is passed over, and so are all later jobs that take as much or more.
 */
final class ServerWalk implements PreemptivePolicy.Walk {
  private final PreemptivePolicy policy;
  private final SizeQueues waiting;
  private final Clearable clearable;
  private final IntList victims = new IntList();
  private final IntList started = new IntList();

  ServerWalk(PreemptivePolicy policy, SizeQueues waiting, Cluster cluster) {
    this.policy = policy;
    this.waiting = waiting;
    this.clearable = new Clearable(policy, cluster);
  }

  @Override
  public void put(View view, int job, double runningKey, int tie) {
    double key = view.resumable(job) ? runningKey : Double.NEGATIVE_INFINITY;
    clearable.put(view, job, view.placement(job), key);
  }

  @Override
  public void remove(View view, int job) {
    clearable.remove(job);
  }

  @Override
  public void walk(View view, Decisions decisions) {
    started.clear();
    waiting.openPass();
    while (true) {
      int next = waiting.first(Integer.MAX_VALUE);
      if (next < 0) {
        break;
      }
      int job = waiting.of(next).peek();
      Placement placement = policy.place(view, job);
      if (placement == null) {
        placement = clear(view, decisions, job, waiting.of(next).peekKey());
      }
      if (placement == null) {
        // Jobs larger than a server need whole ones: one that fits a server may be refused before.
        int most = clearable.mostOnServer(policy.demand(view, job));
        waiting.refuse(
            view.gpus(job),
            policy.demand(view, job),
            view.gpus(job) <= most ? most : Integer.MAX_VALUE);
      } else {
        waiting.remove(job, view.gpus(job), policy.demand(view, job));
        policy.start(view, decisions, job, placement);
        // Ahead of everybody for the rest of the pass; where it belongs, from the next one on.
        clearable.put(view, job, placement, Double.NEGATIVE_INFINITY);
        started.add(job);
      }
    }
    policy.rankStarted(view, started);
  }

  /** Makes room for a job by suspending jobs behind it. Null if that cannot be. */
  private @Nullable Placement clear(View view, Decisions decisions, int job, double key) {
    victims.clear();
    if (!clearable.find(view, job, key, PreemptivePolicy.winsTies(view, job), victims)) {
      return null;
    }
    for (int i = 0; i < victims.size(); i++) {
      clearable.remove(victims.get(i));
    }
    policy.suspend(view, decisions, victims);
    return policy.place(view, job);
  }
}
