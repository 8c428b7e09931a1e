package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import io.ringmaster.policy.slots.Embedding;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Dominant resource fairness with GPUs, CPUs and memory: Ghodsi et al., NSDI 2011, algorithm 1. The
 * user with the least dominant share goes next and starts the first job of theirs that fits; nobody
 * is stopped. A job without a user stands for itself: it holds nothing, so it goes first.
 *
 * <p>Departures: a gang starts whole, so shares are equal only as far as gangs allow. Elastic jobs
 * have the size they ask for. Links are no resource of which somebody has a share; they only decide
 * what fits. Takes time in proportion to the jobs that wait or run.
 */
public final class DemandShare implements Policy {
  private final Embedding embedding;
  private final Shares shares;
  private final TreeSet<Integer> active = new TreeSet<>();

  public DemandShare(Settings settings, Cluster cluster) {
    this.embedding = Embedding.of(cluster);
    this.shares = new Shares(cluster);
  }

  /** One who has jobs, with those that wait, first come first. */
  private static final class User {
    final int index;
    final Shares.Holding held;
    final ArrayDeque<Integer> waiting = new ArrayDeque<>();
    double share;

    User(int index, Shares.Holding held) {
      this.index = index;
      this.held = held;
    }

    void add(View view, int job, int workers) {
      if (index >= 0) {
        held.add(view.demand(job), workers);
        share = held.dominant();
      }
    }
  }

  @Override
  public void decide(View view, Decisions decisions) {
    for (int i = 0; i < view.arrived().size(); i++) {
      active.add(view.arrived().get(i));
    }
    for (int i = 0; i < view.ended().size(); i++) {
      active.remove(view.ended().get(i));
    }
    if (view.free().total() == 0) {
      return;
    }
    PriorityQueue<User> neediest =
        new PriorityQueue<>(
            Comparator.comparingDouble((User u) -> u.share).thenComparingInt(u -> u.index));
    neediest.addAll(users(view).values());
    while (view.free().total() > 0) {
      User user = neediest.poll();
      if (user == null) {
        return;
      }
      if (startOne(view, decisions, user)) {
        neediest.add(user);
      }
    }
  }

  private Map<Integer, User> users(View view) {
    Map<Integer, User> users = new HashMap<>();
    for (int job : active) {
      User user = users.computeIfAbsent(view.user(job), index -> new User(index, shares.holding()));
      if (view.running(job)) {
        user.add(view, job, view.placement(job).workers());
      } else {
        user.waiting.add(job);
      }
    }
    return users;
  }

  /**
   * Starts the first of a user's jobs that fits. One that does not fit now will not in this pass.
   */
  private boolean startOne(View view, Decisions decisions, User user) {
    while (true) {
      Integer job = user.waiting.poll();
      if (job == null) {
        return false;
      }
      Placement placement = embedding.place(view.free(), view.demand(job), view.gpus(job));
      if (placement != null) {
        decisions.start(job, placement);
        user.add(view, job, placement.workers());
        return true;
      }
    }
  }
}
