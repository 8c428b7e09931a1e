package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.ArrayList;
import java.util.List;

/**
 * Dominant resource fairness with GPUs, and CPUs and memory where they are counted: Ghodsi et al.,
 * NSDI 2011, algorithm 1. The user with the least dominant share goes next and starts the first job
 * of theirs that fits; nobody is stopped. A job without a user stands for itself: it holds nothing,
 * so it goes first.
 *
 * <p>Departures: a gang starts whole, so shares are equal only as far as gangs allow. Links are no
 * resource of which somebody has a share; they only decide what fits. If the workload has elastic
 * jobs, {@link ProgressiveFilling} takes over.
 */
public final class DominantShare implements Policy {
  public static final PolicySpec SPEC =
      new PolicySpec(
          "drf",
          "The user with the smallest share goes next; elastic jobs share equally.",
          "Ghodsi et al., NSDI 2011",
          List.of(Placer.PARAMETER),
          Placer::rule,
          DominantShare::new);

  private final Placer placer;
  private final ProgressiveFilling filling;

  private final Shares shares;
  private final boolean limitsMore;

  /** Users with waiting jobs by their share. User 0 stands for all jobs without one. */
  private final IndexedHeap neediest = IndexedHeap.ascending();

  private final List<SizeQueues> waiting = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private final IntList passedOver = new IntList();
  private final List<Shares.Holding> held = new ArrayList<>();

  /**
   * The fewest GPUs alone that did not fit in this pass: whatever takes as many does not either.
   */
  private int refusedGpus;

  /** What does not fit in a pass, and nothing does that takes as much. */
  private record Refused(int gpus, Demand demand) {}

  public DominantShare(Settings settings, Cluster cluster) {
    this.placer = Placer.of(settings, cluster);
    this.shares = new Shares(cluster);
    this.limitsMore = cluster.limitsMoreThanGpus();
    this.filling = new ProgressiveFilling(placer, shares);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    placer.see(view);
    if (view.anyElastic()) {
      filling.decide(view, decisions);
      return;
    }
    observe(view);
    refused.clear();
    refusedGpus = Integer.MAX_VALUE;
    passedOver.clear();
    while (view.free().total() > 0 && !neediest.isEmpty()) {
      int user = neediest.poll();
      if (startOne(view, decisions, user)) {
        rank(user);
      } else {
        passedOver.add(user);
      }
    }
    for (int i = 0; i < passedOver.size(); i++) {
      rank(passedOver.get(i));
    }
  }

  private void observe(View view) {
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      int user = view.user(job) + 1;
      if (queue(user).contains(job)) {
        queue(user).remove(job, view.gpus(job), demand(view, job));
      } else {
        held(user).remove(demand(view, job), view.gpus(job));
      }
      rank(user);
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      int user = view.user(job) + 1;
      if (view.waiting(job)) {
        queue(user).put(job, view.gpus(job), demand(view, job), 0);
      } else {
        held(user).add(demand(view, job), view.gpus(job));
      }
      rank(user);
    }
  }

  private Demand demand(View view, int job) {
    return limitsMore ? view.demand(job) : Demand.NONE;
  }

  private Shares.Holding held(int user) {
    while (held.size() <= user) {
      held.add(shares.holding());
    }
    return held.get(user);
  }

  private SizeQueues queue(int user) {
    while (waiting.size() <= user) {
      waiting.add(SizeQueues.ascending());
    }
    return waiting.get(user);
  }

  private void rank(int user) {
    if (queue(user).isEmpty()) {
      neediest.remove(user);
    } else {
      neediest.put(user, user == 0 ? 0 : held(user).dominant());
    }
  }

  /** Starts the first of a user's jobs that fits. */
  private boolean startOne(View view, Decisions decisions, int user) {
    SizeQueues queue = queue(user);
    while (true) {
      int first = -1;
      int most = Math.min(view.free().total(), refusedGpus - 1);
      for (int c = 0; c < queue.classes() && queue.gpus(c) <= most; c++) {
        if (!queue.of(c).isEmpty()
            && !refused(queue.gpus(c), queue.demand(c))
            && (first < 0 || queue.of(c).peek() < queue.of(first).peek())) {
          first = c;
        }
      }
      if (first < 0) {
        return false;
      }
      Demand demand = queue.demand(first);
      Placement placement = placer.place(view.free(), demand, queue.gpus(first));
      if (placement != null) {
        int job = queue.poll(first);
        decisions.start(job, placer.suited(view, job, placement));
        held(user).add(demand, placement.workers());
        return true;
      }
      if (demand.isNone()) {
        refusedGpus = queue.gpus(first);
      } else {
        refused.add(new Refused(queue.gpus(first), demand));
      }
    }
  }

  private boolean refused(int gpus, Demand demand) {
    for (int i = 0; i < refused.size(); i++) {
      if (refused.get(i).gpus <= gpus && demand.covers(refused.get(i).demand)) {
        return true;
      }
    }
    return false;
  }
}
