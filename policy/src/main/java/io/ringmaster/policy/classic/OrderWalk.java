package io.ringmaster.policy.classic;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.Objects;

/**
 * The walk where any free GPUs will do. Whether a job fits is told by the number of free GPUs, or
 * where jobs take more than that by trying: {@link Fitting}.
 *
 * <p>Between events a running job only moves forward in the order and a waiting one stays, so what
 * was decided before still holds except where a job came, went or changed speed. A waiting job gets
 * in if it fits once running jobs behind it are gone; then only the tail of running jobs behind it
 * is walked again. This gives the same decisions as the full walk, which a test compares, for a few
 * heap steps an event.
 */
final class OrderWalk implements PreemptivePolicy.Walk {
  private final PreemptivePolicy policy;
  private final SizeQueues waiting;
  private final SizeQueues running = SizeQueues.descending();
  private final Placer placer;

  /** Running jobs taken back in this pass and not walked again yet, the foremost on top. */
  private final IntList tail = new IntList();

  private final IntList victims = new IntList();
  private final IntList picked = new IntList();
  private final IntList kept = new IntList();

  OrderWalk(PreemptivePolicy policy, SizeQueues waiting, Placer placer) {
    this.policy = policy;
    this.waiting = waiting;
    this.placer = placer;
  }

  @Override
  public void put(View view, int job, double runningKey, int tie) {
    if (view.resumable(job)) {
      running.put(job, view.gpus(job), policy.demand(view, job), runningKey, tie);
    }
  }

  @Override
  public void remove(View view, int job) {
    running.remove(job, view.gpus(job), policy.demand(view, job));
  }

  @Override
  public void walk(View view, Decisions decisions) {
    Fitting fitting = new Fitting(view, placer, policy.countsGpusAlone());
    try (fitting) {
      choose(view, fitting);
      fitting.settle();
    }
    for (int i = 0; i < kept.size(); i++) {
      policy.reorder(view, kept.get(i));
    }
    policy.suspend(view, decisions, victims);
    for (int i = 0; i < picked.size(); i++) {
      int job = picked.get(i);
      Placement planned = fitting.place(i);
      Placement placement = planned != null ? planned : policy.place(view, job);
      policy.start(view, decisions, job, Objects.requireNonNull(placement, "a job that fits"));
    }
    if (!policy.countsGpusAlone()) {
      startElsewhere(view, decisions);
    }
    policy.rankStarted(view, picked);
  }

  /** A job that has lost its place may fit another. By number alone it never does. */
  private void startElsewhere(View view, Decisions decisions) {
    victims.forEach(job -> {
      Placement placement = policy.place(view, job);
      if (placement != null) {
        waiting.remove(job, view.gpus(job), view.demand(job));
        policy.start(view, decisions, job, placement);
        picked.add(job);
      }
    });
  }

  /** Chooses who starts ({@link #picked}) and who stops ({@link #victims}). */
  private void choose(View view, Fitting fitting) {
    tail.clear();
    victims.clear();
    picked.clear();
    kept.clear();
    waiting.openPass();
    while (true) {
      int next = waiting.first(Integer.MAX_VALUE);
      if (!tail.isEmpty() && (next < 0 || !aheadOfTail(view, next))) {
        int job = tail.pop();
        if (fitting.keep(job)) {
          kept.add(job);
        } else {
          waiting.refuse(view.gpus(job), policy.demand(view, job));
          victims.add(job);
        }
      } else if (next < 0) {
        return;
      } else if (fitting.pick(waiting.of(next).peek()) || makeRoom(view, next, fitting)) {
        picked.add(waiting.poll(next));
      } else {
        waiting.refuse(waiting.gpus(next), waiting.demand(next));
      }
    }
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

  /**
   * Takes back running jobs behind the head of a class, the hindmost first, until it fits; if all
   * are not enough, none. Those that need not have been taken back are kept when the walk comes to
   * them.
   */
  private boolean makeRoom(View view, int waitingClass, Fitting fitting) {
    int job = waiting.of(waitingClass).peek();
    int missing = waiting.gpus(waitingClass) - fitting.freeGpus();
    if (reach(view, waitingClass, missing) < missing) {
      return false;
    }
    int before = tail.size();
    int tryAt = before + 1;
    for (int last = hindmost(view, waitingClass); last >= 0; last = hindmost(view, waitingClass)) {
      int back = running.poll(last);
      tail.add(back);
      fitting.takeBack(back);
      if (fitting.isCheap() || tail.size() >= tryAt) {
        if (fitting.pick(job)) {
          return true;
        }
        tryAt = 2 * tail.size() - before;
      }
    }
    if (fitting.pick(job)) {
      return true;
    }
    while (tail.size() > before) {
      int back = tail.pop();
      fitting.giveBack(back);
      policy.reorder(view, back);
    }
    return false;
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

  /** The class of the hindmost running job, if that is behind the head of a waiting class. */
  private int hindmost(View view, int waitingClass) {
    int last = -1;
    for (int c = 0; c < running.classes(); c++) {
      if (behind(view, waitingClass, c, 1) == 1
          && (last < 0 || lastOfClassBehind(c, last, view.nowSeconds()))) {
        last = c;
      }
    }
    return last;
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
