package io.ringmaster.policy.classic;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.placement.Resizing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Dominant resource fairness with elastic jobs: at each event the shares are filled anew, and the
 * smallest share gets the next worker (Ghodsi et al., NSDI 2011, algorithm 1). A running job keeps
 * at least its least number of workers, and all it has if it is not resumable. Workers that were
 * taken for a job that then finds no place are given back. Takes time in proportion to the active
 * jobs and GPUs.
 */
final class ProgressiveFilling {
  private final Placer placer;
  private final Shares shares;
  private final TreeSet<Integer> active = new TreeSet<>();
  private final Map<Demand, Integer> mostWorkers = new HashMap<>();

  ProgressiveFilling(Placer placer, Shares shares) {
    this.placer = placer;
    this.shares = shares;
  }

  /** A user, or a job without one. */
  private static final class Share {
    final int order;
    final List<Goal> waiting = new ArrayList<>();
    final PriorityQueue<Goal> growing =
        new PriorityQueue<>(
            Comparator.comparingInt((Goal g) -> g.workers).thenComparingInt(g -> g.job));
    final Shares.Holding held;
    int nextWaiting;

    Share(int order, Shares.Holding held) {
      this.order = order;
      this.held = held;
    }
  }

  /** How many workers a job is to have. */
  private static final class Goal {
    final int job;
    int workers;

    Goal(int job, int workers) {
      this.job = job;
      this.workers = workers;
    }
  }

  void decide(View view, Decisions decisions) {
    view.arrived().forEach(active::add);
    view.ended().forEach(active::remove);
    carryOut(view, decisions, fill(view));
  }

  /** What each job is to have, in the order in which they were first given something. */
  private List<Goal> fill(View view) {
    TreeMap<Integer, Share> users = new TreeMap<>();
    List<Goal> goals = new ArrayList<>();
    Shares.Holding all = shares.holding();
    for (int job : active) {
      int user = view.user(job);
      Share share =
          users.computeIfAbsent(user < 0 ? -1 - job : user, _ -> new Share(job, shares.holding()));
      boolean pinned = view.pinned(job);
      Goal goal = new Goal(job, pinned ? view.placement(job).workers() : view.minGpus(job));
      if (view.running(job)) {
        goals.add(goal);
        share.held.add(view.demand(job), goal.workers);
        all.add(view.demand(job), goal.workers);
        if (!pinned) {
          share.growing.add(goal);
        }
      } else {
        share.waiting.add(goal);
      }
    }
    PriorityQueue<Share> smallest =
        new PriorityQueue<>(
            Comparator.comparingDouble((Share s) -> s.held.dominant())
                .thenComparingInt(s -> s.order));
    smallest.addAll(users.values());
    while (all.gpusLeft() > 0 && !smallest.isEmpty()) {
      Share share = smallest.remove();
      if (give(view, share, all, goals)) {
        smallest.add(share);
      }
    }
    return goals;
  }

  /** Starts a share's next job that fits, or adds a worker to its smallest. */
  private boolean give(View view, Share share, Shares.Holding all, List<Goal> goals) {
    while (share.nextWaiting < share.waiting.size()) {
      Goal goal = share.waiting.get(share.nextWaiting++);
      if (take(view, share, all, goal, goal.workers)) {
        goals.add(goal);
        share.growing.add(goal);
        return true;
      }
    }
    while (true) {
      @Nullable Goal goal = share.growing.poll();
      if (goal == null) {
        return false;
      }
      if (goal.workers < most(view, goal.job) && take(view, share, all, goal, 1)) {
        goal.workers++;
        share.growing.add(goal);
        return true;
      }
    }
  }

  private static boolean take(View view, Share share, Shares.Holding all, Goal goal, int workers) {
    Demand demand = view.demand(goal.job);
    if (!all.leaves(demand, workers)) {
      return false;
    }
    all.add(demand, workers);
    share.held.add(demand, workers);
    return true;
  }

  /** More than the empty cluster holds would never find a place. */
  private int most(View view, int job) {
    return Math.min(
        view.maxGpus(job),
        mostWorkers.computeIfAbsent(view.demand(job), view.cluster()::mostWorkers));
  }

  private void carryOut(View view, Decisions decisions, List<Goal> goals) {
    Map<Integer, Placement> shrunk = new LinkedHashMap<>();
    for (Goal goal : goals) {
      if (view.running(goal.job) && goal.workers < view.placement(goal.job).workers()) {
        Placement before = view.placement(goal.job);
        shrunk.put(goal.job, before);
        decisions.resize(goal.job, Resizing.shrink(before, goal.workers));
      }
    }
    boolean allPlaced = true;
    for (Goal goal : goals) {
      if (view.waiting(goal.job)) {
        Placement placement = placer.place(view.free(), view.demand(goal.job), goal.workers);
        if (placement != null) {
          decisions.start(goal.job, placement);
        } else {
          allPlaced = false;
        }
      }
    }
    if (!allPlaced) {
      shrunk.forEach((job, before) -> giveBack(view, decisions, job, before));
    }
    for (Goal goal : goals) {
      if (view.running(goal.job)) {
        Placement now = view.placement(goal.job);
        int to = Math.min(goal.workers, now.workers() + view.free().total());
        if (to > now.workers()) {
          Placement grown = Resizing.grow(view.free(), view.demand(goal.job), now, to);
          if (grown.workers() > now.workers()) {
            decisions.resize(goal.job, grown);
          }
        }
      }
    }
  }

  /** Puts a job back where it was before it shrank, if nobody has taken the GPUs. */
  private static void giveBack(View view, Decisions decisions, int job, Placement before) {
    boolean free;
    try (FreeServers.Supposition without = view.free().suppose()) {
      without.release(view.placement(job), view.demand(job));
      free = view.free().holds(before, view.demand(job));
    }
    if (free) {
      decisions.resize(job, before);
    }
  }
}
