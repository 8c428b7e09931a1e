package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.ArrayList;
import java.util.List;

/**
 * Dominant resource fairness: Ghodsi et al., NSDI 2011, with GPUs as the one resource. The user who
 * holds the fewest GPUs goes next and starts the first job of theirs that fits; nobody is stopped.
 * A job without a user stands for itself: it holds nothing, so it goes first.
 *
 * <p>Departure: a gang starts whole, so shares are equal only as far as gangs allow. If the
 * workload has elastic jobs, {@link ProgressiveFilling} takes over.
 */
public final class DominantShare implements Policy {
  public static final PolicySpec SPEC =
      new PolicySpec(
          "drf",
          "The user with the smallest share goes next; elastic jobs share equally.",
          "Ghodsi et al., NSDI 2011",
          List.of(Placer.PARAMETER),
          DemandWalk::rule,
          DemandWalk.either(DominantShare::new, DemandShare::new));

  private final Placer placer;
  private final ProgressiveFilling filling;

  /** Users with waiting jobs by the GPUs they hold. User 0 stands for all jobs without one. */
  private final IndexedHeap neediest = IndexedHeap.ascending();

  private final List<SizeQueues> waiting = new ArrayList<>();
  private final IntList failedSizes = new IntList();
  private final IntList passedOver = new IntList();
  private int[] held = new int[1];

  public DominantShare(Settings settings, Cluster cluster) {
    this.placer = Placer.of(settings, cluster);
    this.filling = new ProgressiveFilling(placer);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    if (view.anyElastic()) {
      filling.decide(view, decisions);
      return;
    }
    observe(view);
    failedSizes.clear();
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
        queue(user).remove(job, view.gpus(job));
      } else {
        hold(user, -view.gpus(job));
      }
      rank(user);
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      int user = view.user(job) + 1;
      if (view.waiting(job)) {
        queue(user).put(job, view.gpus(job), 0);
      } else {
        hold(user, view.gpus(job));
      }
      rank(user);
    }
  }

  private void hold(int user, int gpus) {
    held = Grow.ensure(held, user + 1);
    held[user] += gpus;
  }

  private SizeQueues queue(int user) {
    while (waiting.size() <= user) {
      waiting.add(SizeQueues.ascending());
    }
    return waiting.get(user);
  }

  private void rank(int user) {
    held = Grow.ensure(held, user + 1);
    if (queue(user).isEmpty()) {
      neediest.remove(user);
    } else {
      neediest.put(user, user == 0 ? 0 : held[user]);
    }
  }

  /** Starts the first of a user's jobs that fits. */
  private boolean startOne(View view, Decisions decisions, int user) {
    SizeQueues queue = queue(user);
    while (true) {
      int first = -1;
      for (int c = 0; c < queue.classes() && queue.gpus(c) <= view.free().total(); c++) {
        if (!queue.of(c).isEmpty()
            && !failed(queue.gpus(c))
            && (first < 0 || queue.of(c).peek() < queue.of(first).peek())) {
          first = c;
        }
      }
      if (first < 0) {
        return false;
      }
      Placement placement = placer.place(view.free(), queue.gpus(first));
      if (placement != null) {
        decisions.start(queue.poll(first), placement);
        hold(user, placement.workers());
        return true;
      }
      failedSizes.add(queue.gpus(first));
    }
  }

  private boolean failed(int gpus) {
    for (int i = 0; i < failedSizes.size(); i++) {
      if (failedSizes.get(i) == gpus) {
        return true;
      }
    }
    return false;
  }
}
