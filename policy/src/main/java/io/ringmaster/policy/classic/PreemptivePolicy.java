package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.queue.SizeQueues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks all jobs, running and waiting, in one order at each event, and gives GPUs to each that
 * still fits; a running job that no longer does is suspended. What each policy adds is the order.
 *
 * <p>The walk is not done in full. Between events a running job only moves forward in the order and
 * a waiting one stays, so what was decided before still holds except where a job came, went or
 * changed speed. A waiting job gets in if the free GPUs and those of running jobs behind it
 * suffice; then only the tail of running jobs behind it is walked again. This gives the same
 * decisions as the full walk (a test compares them) for a few heap steps an event.
 *
 * <p>Jobs at the same place in the walk keep the order of the walk before, and new ones come last,
 * as in a list that is sorted again and again by a stable sort. A job moves forward while it runs:
 * so at the same place, one that waited comes before one that ran, one that moves slower before one
 * that moves faster, and one that started later before one that started earlier, unless it started
 * the moment it came.
 */
abstract class PreemptivePolicy implements Policy {
  private final Placer placer;
  private final SizeQueues waiting = SizeQueues.ascending();
  private final SizeQueues running = SizeQueues.descending();

  /** Running jobs that may not be stopped yet, by when they may. */
  private final IndexedHeap shielded = IndexedHeap.ascending();

  /** Running jobs taken back in this pass and not walked again yet, the foremost on top. */
  private final IntList tail = new IntList();

  private final IntList victims = new IntList();
  private final IntList picked = new IntList();
  private final IntList kept = new IntList();
  private final IntList suspended = new IntList();
  private final List<Placement> suspendedFrom = new ArrayList<>();
  private final IntList unplaceableSizes = new IntList();

  /** Orders jobs at one place in the walk: since when a job waits, or how long it runs. */
  private int[] tie = new int[0];

  private int waitSerial;
  private int startSerial;

  PreemptivePolicy(Settings settings, Cluster cluster) {
    this.placer = Placer.of(settings, cluster);
  }

  /** The place in the walk of a job that starts to wait. Does not change while it waits. */
  abstract double waitingKey(View view, int job);

  /** The key of a running job. Of two running jobs of one size, the lesser is always ahead. */
  abstract double runningKey(View view, int job);

  /** The place in the walk, at a time, of a running job of a size with a {@link #runningKey}. */
  abstract double walkKey(double runningKey, int gpus, double nowSeconds);

  /** The {@link #runningKey} that a running job of a size has at a place in the walk. */
  abstract double runningKeyAt(double walkKey, int gpus, double nowSeconds);

  /** How fast a running job moves forward in the walk, in relation to others. */
  abstract int pace(int gpus);

  /** How long a job that was started may not be stopped. */
  double shieldSeconds(View view) {
    return 0;
  }

  /** A job is suspended by this pass; called from the hindmost to the foremost. */
  void onSuspend(int job) {}

  /** A job is started by this pass. */
  void onStart(int job) {}

  /** A job ended. */
  void onEnd(int job) {}

  /** A new job arrived, waiting or, when this policy takes over, running. */
  void onArrive(View view, int job) {}

  /** Before the walk: the policy may reorder running jobs with {@link #reorder}. */
  void beforeWalk(View view) {}

  /** After the walk: the policy may ask to be woken. */
  void afterWalk(View view, Decisions decisions) {}

  final void reorder(View view, int job) {
    running.put(job, view.gpus(job), runningKey(view, job), tie[job]);
  }

  private void await(View view, int job) {
    waiting.put(job, view.gpus(job), waitingKey(view, job), tie[job]);
  }

  @Override
  public final void decide(View view, Decisions decisions) {
    observe(view);
    beforeWalk(view);
    suspended.clear();
    suspendedFrom.clear();
    unplaceableSizes.clear();
    boolean allPlaced;
    do {
      walk(view);
      allPlaced = carryOut(view, decisions);
    } while (!allPlaced);
    afterWalk(view, decisions);
  }

  private void observe(View view) {
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      shielded.remove(job);
      running.remove(job, view.gpus(job));
      waiting.remove(job, view.gpus(job));
      onEnd(job);
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      onArrive(view, job);
      tie = Grow.ensure(tie, job + 1);
      tie[job] = ++waitSerial;
      if (view.waiting(job)) {
        await(view, job);
      } else {
        reorder(view, job);
      }
    }
    for (int i = 0; i < view.rerated().size(); i++) {
      int job = view.rerated().get(i);
      if (view.running(job) && !shielded.contains(job)) {
        reorder(view, job);
      }
    }
    while (!shielded.isEmpty() && shielded.peekKey() <= view.nowSeconds()) {
      reorder(view, shielded.poll());
    }
  }

  /** Chooses by numbers of GPUs who starts ({@link #picked}) and who stops ({@link #victims}). */
  private void walk(View view) {
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
      if (!waiting.of(c).isEmpty() && (best < 0 || waiting.headBefore(c, best)) && placeable(c)) {
        best = c;
      }
    }
    return best;
  }

  private boolean placeable(int sizeClass) {
    for (int i = 0; i < unplaceableSizes.size(); i++) {
      if (unplaceableSizes.get(i) == waiting.gpus(sizeClass)) {
        return false;
      }
    }
    return true;
  }

  /** True if the head of a class is ahead of a running job at the same place in the walk. */
  private boolean winsTies(View view, int sizeClass) {
    return !arrivedNow(view, waiting.of(sizeClass).peek());
  }

  private static boolean arrivedNow(View view, int job) {
    return view.submitSeconds(job) == view.nowSeconds();
  }

  private boolean aheadOfTail(View view, int sizeClass) {
    int top = tail.get(tail.size() - 1);
    double topKey = walkKey(runningKey(view, top), view.gpus(top), view.nowSeconds());
    double key = waiting.of(sizeClass).peekKey();
    return key < topKey || (key == topKey && winsTies(view, sizeClass));
  }

  /** GPUs of running jobs behind the head of a class, counted up to a need. */
  private int reach(View view, int sizeClass, int need) {
    int sum = 0;
    for (int c = 0; c < running.classes() && sum < need; c++) {
      int most = (need - sum + running.gpus(c) - 1) / running.gpus(c);
      sum += running.gpus(c) * behind(view, sizeClass, c, most);
    }
    return sum;
  }

  /** Running jobs of one class behind the waiting head of another, counted up to a limit. */
  private int behind(View view, int waitingClass, int runningClass, int limit) {
    double key = waiting.of(waitingClass).peekKey();
    double from = runningKeyAt(key, running.gpus(runningClass), view.nowSeconds());
    int ties = winsTies(view, waitingClass) ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    return running.of(runningClass).countBefore(from, ties, limit);
  }

  /** Takes back the hindmost running jobs behind the head of a class, until a need is met. */
  private int takeBack(View view, int sizeClass, int need) {
    int sum = 0;
    while (sum < need) {
      int last = -1;
      for (int c = 0; c < running.classes(); c++) {
        if (behind(view, sizeClass, c, 1) == 1
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
    double keyA = walkKey(running.of(a).peekKey(), running.gpus(a), now);
    double keyB = walkKey(running.of(b).peekKey(), running.gpus(b), now);
    if (keyA != keyB) {
      return keyA > keyB;
    }
    int paceA = pace(running.gpus(a));
    int paceB = pace(running.gpus(b));
    return paceA != paceB ? paceA > paceB : running.of(a).peekTie() > running.of(b).peekTie();
  }

  /** Suspends the victims and places the picked. False if one found no place. */
  private boolean carryOut(View view, Decisions decisions) {
    for (int i = 0; i < kept.size(); i++) {
      reorder(view, kept.get(i));
    }
    for (int i = victims.size() - 1; i >= 0; i--) {
      int job = victims.get(i);
      suspended.add(job);
      suspendedFrom.add(view.placement(job));
      decisions.suspend(job);
      onSuspend(job);
      tie[job] = waitSerial + i + 1;
      await(view, job);
    }
    waitSerial += victims.size();
    boolean allPlaced = true;
    double shield = shieldSeconds(view);
    startSerial += picked.size();
    for (int i = 0; i < picked.size(); i++) {
      int job = picked.get(i);
      Placement placement = place(view, job);
      if (placement == null) {
        unplaceableSizes.add(view.gpus(job));
        await(view, job);
        allPlaced = false;
      } else {
        decisions.start(job, placement);
        onStart(job);
        if (shield > 0) {
          shielded.put(job, view.nowSeconds() + shield);
        }
        if (!arrivedNow(view, job)) {
          tie[job] = i - startSerial;
        }
      }
    }
    return allPlaced;
  }

  /** Where it was, for a job that this pass suspended and chose again; else where it fits. */
  private @Nullable Placement place(View view, int job) {
    for (int i = 0; i < suspended.size(); i++) {
      if (suspended.get(i) == job && view.free().holds(suspendedFrom.get(i))) {
        return suspendedFrom.get(i);
      }
    }
    return placer.place(view.free(), view.gpus(job));
  }
}
