package io.ringmaster.policy.classic;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.placement.Resizing;
import java.util.ArrayList;
import java.util.Comparator;
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
 * at least its least number of workers. Workers that were taken for a job that then finds no place
 * are given back. Takes time in proportion to the active jobs and GPUs.
 */
final class ProgressiveFilling {
  private final Placer placer;
  private final TreeSet<Integer> active = new TreeSet<>();

  ProgressiveFilling(Placer placer) {
    this.placer = placer;
  }

  /** A user, or a job without one. */
  private static final class Share {
    final int order;
    final List<Goal> waiting = new ArrayList<>();
    final PriorityQueue<Goal> growing =
        new PriorityQueue<>(
            Comparator.comparingInt((Goal g) -> g.workers).thenComparingInt(g -> g.job));
    int nextWaiting;
    int gpus;

    Share(int order) {
      this.order = order;
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
    for (int i = 0; i < view.arrived().size(); i++) {
      active.add(view.arrived().get(i));
    }
    for (int i = 0; i < view.ended().size(); i++) {
      active.remove(view.ended().get(i));
    }
    carryOut(view, decisions, fill(view));
  }

  /** What each job is to have, in the order in which they were first given something. */
  private List<Goal> fill(View view) {
    TreeMap<Integer, Share> shares = new TreeMap<>();
    List<Goal> goals = new ArrayList<>();
    int left = view.cluster().totalGpus();
    for (int job : active) {
      int user = view.user(job);
      Share share = shares.computeIfAbsent(user < 0 ? -1 - job : user, _ -> new Share(job));
      Goal goal = new Goal(job, view.minGpus(job));
      if (view.running(job)) {
        goals.add(goal);
        share.gpus += goal.workers;
        left -= goal.workers;
        share.growing.add(goal);
      } else {
        share.waiting.add(goal);
      }
    }
    PriorityQueue<Share> smallest =
        new PriorityQueue<>(
            Comparator.comparingInt((Share s) -> s.gpus).thenComparingInt(s -> s.order));
    smallest.addAll(shares.values());
    while (left > 0 && !smallest.isEmpty()) {
      Share share = smallest.remove();
      int given = give(view, share, left, goals);
      if (given > 0) {
        share.gpus += given;
        left -= given;
        smallest.add(share);
      }
    }
    return goals;
  }

  /** Starts a share's next job that fits, or adds a worker to its smallest. Returns the GPUs. */
  private static int give(View view, Share share, int left, List<Goal> goals) {
    while (share.nextWaiting < share.waiting.size()) {
      Goal goal = share.waiting.get(share.nextWaiting++);
      if (goal.workers <= left) {
        goals.add(goal);
        share.growing.add(goal);
        return goal.workers;
      }
    }
    while (true) {
      @Nullable Goal goal = share.growing.poll();
      if (goal == null) {
        return 0;
      }
      if (goal.workers < view.maxGpus(goal.job)) {
        goal.workers++;
        share.growing.add(goal);
        return 1;
      }
    }
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
        Placement placement = placer.place(view.free(), goal.workers);
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
          decisions.resize(goal.job, Resizing.grow(view.free(), now, to));
        }
      }
    }
  }

  /** Puts a job back where it was before it shrank, if nobody has taken the GPUs. */
  private static void giveBack(View view, Decisions decisions, int job, Placement before) {
    Placement now = view.placement(job);
    for (int i = 0; i < before.size(); i++) {
      int missing = before.gpus(i);
      for (int k = 0; k < now.size(); k++) {
        missing -= now.server(k) == before.server(i) ? now.gpus(k) : 0;
      }
      if (missing > view.free().gpus(before.server(i))) {
        return;
      }
    }
    decisions.resize(job, before);
  }
}
