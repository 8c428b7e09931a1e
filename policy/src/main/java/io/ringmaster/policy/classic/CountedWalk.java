package io.ringmaster.policy.classic;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.View;
import io.ringmaster.policy.queue.SizeQueues;

/**
 * The walk where the number of free GPUs alone decides whether a job fits.
 *
 * <p>Between events a running job only moves forward in the order and a waiting one stays, so what
 * was decided before still holds except where a job came, went or changed speed. A waiting job gets
 * in if the free GPUs and those of running jobs behind it suffice; then only the tail of running
 * jobs behind it is walked again. This gives the same decisions as the full walk, which a test
 * compares, for a few heap steps an event.
 */
final class CountedWalk implements PreemptivePolicy.Walk {
  private final PreemptivePolicy policy;
  private final SizeQueues waiting;
  private final SizeQueues running = SizeQueues.descending();

  /** Running jobs taken back in this pass and not walked again yet, the foremost on top. */
  private final IntList tail = new IntList();

  private final IntList victims = new IntList();
  private final IntList picked = new IntList();
  private final IntList kept = new IntList();

  CountedWalk(PreemptivePolicy policy, SizeQueues waiting) {
    this.policy = policy;
    this.waiting = waiting;
  }

  @Override
  public void put(View view, int job, double runningKey, int tie) {
    running.put(job, view.gpus(job), runningKey, tie);
  }

  @Override
  public void remove(View view, int job) {
    running.remove(job, view.gpus(job));
  }

  @Override
  public void walk(View view, Decisions decisions) {
    choose(view);
    for (int i = 0; i < kept.size(); i++) {
      policy.reorder(view, kept.get(i));
    }
    policy.suspend(view, decisions, victims);
    for (int i = 0; i < picked.size(); i++) {
      int job = picked.get(i);
      Placement placement = policy.place(view, job);
      if (placement == null) {
        throw new IllegalStateException("a job that fits by number found no place");
      }
      policy.start(view, decisions, job, placement);
    }
    policy.rankStarted(view, picked);
  }

  /** Chooses who starts ({@link #picked}) and who stops ({@link #victims}). */
  private void choose(View view) {
    int free = view.free().total();
    int refused = Integer.MAX_VALUE;
    tail.clear();
    victims.clear();
    picked.clear();
    kept.clear();
    while (true) {
      int next = firstWaiting(refused);
      if (!tail.isEmpty() && (next < 0 || !aheadOfTail(view, next))) {
        int job = tail.pop();
        int gpus = view.gpus(job);
        if (gpus <= free) {
          free -= gpus;
          kept.add(job);
        } else {
          refused = Math.min(refused, gpus);
          victims.add(job);
        }
      } else if (next < 0) {
        return;
      } else {
        int gpus = waiting.gpus(next);
        if (gpus > free && reach(view, next, gpus - free) >= gpus - free) {
          free += takeBack(view, next, gpus - free);
        }
        if (gpus <= free) {
          free -= gpus;
          picked.add(waiting.poll(next));
        } else {
          refused = gpus;
        }
      }
    }
  }

  /** The class of the first waiting job with fewer GPUs than were refused, or -1. */
  private int firstWaiting(int refused) {
    int best = -1;
    for (int c = 0; c < waiting.classes() && waiting.gpus(c) < refused; c++) {
      if (!waiting.of(c).isEmpty() && (best < 0 || waiting.headBefore(c, best))) {
        best = c;
      }
    }
    return best;
  }

  private boolean aheadOfTail(View view, int waitingClass) {
    int top = tail.get(tail.size() - 1);
    int pace = policy.pace(view.gpus(top));
    double topKey = policy.walkKey(policy.runningKey(view, top), pace, view.nowSeconds());
    double key = waiting.of(waitingClass).peekKey();
    return key < topKey || (key == topKey && winsTies(view, waitingClass));
  }

  private boolean winsTies(View view, int waitingClass) {
    return PreemptivePolicy.winsTies(view, waiting.of(waitingClass).peek());
  }

  /** GPUs of running jobs behind the head of a class, counted up to a need. */
  private int reach(View view, int waitingClass, int need) {
    int sum = 0;
    for (int c = 0; c < running.classes() && sum < need; c++) {
      int most = (need - sum + running.gpus(c) - 1) / running.gpus(c);
      sum += running.gpus(c) * behind(view, waitingClass, c, most);
    }
    return sum;
  }

  /** Running jobs of one class behind the waiting head of another, counted up to a limit. */
  private int behind(View view, int waitingClass, int runningClass, int limit) {
    double key = waiting.of(waitingClass).peekKey();
    int pace = policy.pace(running.gpus(runningClass));
    double from = policy.runningKeyAt(key, pace, view.nowSeconds());
    int ties = winsTies(view, waitingClass) ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    return running.of(runningClass).countBefore(from, ties, limit);
  }

  /** Takes back the hindmost running jobs behind the head of a class, until a need is met. */
  private int takeBack(View view, int waitingClass, int need) {
    int sum = 0;
    while (sum < need) {
      int last = -1;
      for (int c = 0; c < running.classes(); c++) {
        if (behind(view, waitingClass, c, 1) == 1
            && (last < 0 || lastOfClassBehind(c, last, view.nowSeconds()))) {
          last = c;
        }
      }
      sum += running.gpus(last);
      tail.add(running.poll(last));
    }
    return sum;
  }

  /** True if the hindmost job of one class is behind that of another. */
  private boolean lastOfClassBehind(int a, int b, double now) {
    int paceA = policy.pace(running.gpus(a));
    int paceB = policy.pace(running.gpus(b));
    double keyA = policy.walkKey(running.of(a).peekKey(), paceA, now);
    double keyB = policy.walkKey(running.of(b).peekKey(), paceB, now);
    if (keyA != keyB) {
      return keyA > keyB;
    }
    return paceA != paceB ? paceA > paceB : running.of(a).peekTie() > running.of(b).peekTie();
  }
}
