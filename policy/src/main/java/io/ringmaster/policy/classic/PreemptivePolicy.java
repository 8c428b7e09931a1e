package io.ringmaster.policy.classic;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
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
 * {@link OrderWalk} and {@link ServerWalk} do the walk without looking at every job.
 *
 * <p>Jobs at the same place in the walk keep the order of the walk before, and new ones come last,
 * as in a list that is sorted again and again by a stable sort. A job moves forward while it runs:
 * so at the same place, one that waited comes before one that ran, one that moves slower before one
 * that moves faster, and one that started later before one that started earlier, unless it started
 * the moment it came.
 */
abstract class PreemptivePolicy implements Policy {

  /** One way to do the walk. */
  interface Walk {
    /** A job runs, or its place in the order changed. */
    void put(View view, int job, double runningKey, int tie);

    /** A job runs no more. */
    void remove(View view, int job);

    void walk(View view, Decisions decisions);
  }

  private final Placer placer;
  private final Walk walk;

  /** Flags, since C1 does not inline what several subclasses say, and walks ask at every step. */
  private final boolean keyIsEnd;

  private final boolean paceIsGpus;
  private final SizeQueues waiting = SizeQueues.ascending();

  /** Running jobs that may not be stopped yet, by when they may. */
  private final IndexedHeap shielded = IndexedHeap.ascending();

  private final IntList suspended = new IntList();
  private final List<Placement> suspendedFrom = new ArrayList<>();

  /** Orders jobs at one place in the walk: since when a job waits, or how long it runs. */
  private int[] tie = new int[0];

  /** Jobs that the last pass started: they are put in order once their speed is known. */
  private final IntList justStarted = new IntList();

  private boolean countsGpusAlone = true;
  private int waitSerial;
  private int startSerial;

  /**
   * Prepares the walk.
   *
   * @param keyIsEnd whether a {@link #runningKey} is the time at which the job comes to the very
   *     front; if not, it is its place in the walk
   * @param paceIsGpus whether a running job moves forward as many times as fast as it has GPUs; if
   *     not, all are as fast
   */
  PreemptivePolicy(Settings settings, Cluster cluster, boolean keyIsEnd, boolean paceIsGpus) {
    this.keyIsEnd = keyIsEnd;
    this.paceIsGpus = paceIsGpus;
    this.placer = Placer.of(settings, cluster);
    this.walk =
        placer.countSuffices()
            ? new OrderWalk(this, waiting, placer)
            : new ServerWalk(this, waiting, cluster);
  }

  /** The place in the walk of a job that starts to wait. Does not change while it waits. */
  abstract double waitingKey(View view, int job);

  /** The key of a running job. Of two running jobs of one pace, the lesser is always ahead. */
  abstract double runningKey(View view, int job);

  /** The place in the walk, at a time, of a running job of a pace with a {@link #runningKey}. */
  final double walkKey(double runningKey, int pace, double nowSeconds) {
    return keyIsEnd ? (runningKey - nowSeconds) * pace : runningKey;
  }

  /** The {@link #runningKey} that a running job of a pace has at a place in the walk. */
  final double runningKeyAt(double walkKey, int pace, double nowSeconds) {
    return keyIsEnd ? nowSeconds + walkKey / pace : walkKey;
  }

  /** How fast a running job moves forward in the walk, in relation to others. */
  final int pace(int gpus) {
    return paceIsGpus ? gpus : 1;
  }

  /** Whether all running jobs move as fast: then those that run keep their order. */
  final boolean isOnePace() {
    return !paceIsGpus;
  }

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

  @Override
  public final void decide(View view, Decisions decisions) {
    placer.see(view);
    observe(view);
    beforeWalk(view);
    suspended.clear();
    suspendedFrom.clear();
    walk.walk(view, decisions);
    afterWalk(view, decisions);
  }

  private void observe(View view) {
    for (int i = 0; i < view.ended().size(); i++) {
      int job = view.ended().get(i);
      shielded.remove(job);
      walk.remove(view, job);
      waiting.remove(job, view.gpus(job), demand(view, job));
      onEnd(job);
    }
    for (int i = 0; i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      onArrive(view, job);
      countsGpusAlone &= view.demand(job).isNone();
      tie = Grow.ensure(tie, job + 1);
      tie[job] = ++waitSerial;
      if (view.waiting(job)) {
        await(view, job);
      } else {
        reorder(view, job);
      }
    }
    reorderAll(view, justStarted);
    justStarted.clear();
    reorderAll(view, view.rerated());
    while (!shielded.isEmpty() && shielded.peekKey() <= view.nowSeconds()) {
      reorder(view, shielded.poll());
    }
  }

  private void reorderAll(View view, IntList jobs) {
    for (int i = 0; i < jobs.size(); i++) {
      int job = jobs.get(i);
      if (view.running(job) && !shielded.contains(job)) {
        reorder(view, job);
      }
    }
  }

  /** Puts a running job where it belongs in the order. */
  final void reorder(View view, int job) {
    walk.put(view, job, runningKey(view, job), tie[job]);
  }

  /** Puts a waiting job where it belongs in the order. */
  final void await(View view, int job) {
    waiting.put(job, view.gpus(job), demand(view, job), waitingKey(view, job), tie[job]);
  }

  /**
   * Suspends jobs, given from the foremost to the hindmost. They come before those that arrived
   * just now.
   */
  final void suspend(View view, Decisions decisions, IntList victims) {
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
    for (int i = 0; !victims.isEmpty() && i < view.arrived().size(); i++) {
      int job = view.arrived().get(i);
      if (waiting.contains(job)) {
        tie[job] = ++waitSerial;
        await(view, job);
      }
    }
  }

  /** Starts a job that was taken from the queue of waiting ones. */
  final void start(View view, Decisions decisions, int job, Placement placement) {
    decisions.start(job, placement);
    justStarted.add(job);
    onStart(job);
    double shield = shieldSeconds(view);
    if (shield > 0) {
      shielded.put(job, view.nowSeconds() + shield);
    }
  }

  /**
   * Ranks jobs that this pass started, in the order it did, among those that run: ahead of all that
   * ran before, but for those that came just now.
   */
  final void rankStarted(View view, IntList started) {
    startSerial += started.size();
    for (int i = 0; i < started.size(); i++) {
      if (!arrivedNow(view, started.get(i))) {
        tie[started.get(i)] = i - startSerial;
      }
    }
  }

  private static boolean arrivedNow(View view, int job) {
    return view.submitSeconds(job) == view.nowSeconds();
  }

  /** Whether no job so far takes more than GPUs. */
  final boolean countsGpusAlone() {
    return countsGpusAlone;
  }

  /** What a job takes beside GPUs. */
  final Demand demand(View view, int job) {
    return countsGpusAlone ? Demand.NONE : view.demand(job);
  }

  /** True if a waiting job is ahead of a running one at the same place in the walk. */
  static boolean winsTies(View view, int waitingJob) {
    return !arrivedNow(view, waitingJob);
  }

  /** Where it was, for a job that this pass suspended and chose again; else where it fits. */
  final @Nullable Placement place(View view, int job) {
    for (int i = 0; i < suspended.size(); i++) {
      if (suspended.get(i) == job && view.free().holds(suspendedFrom.get(i), view.demand(job))) {
        return suspendedFrom.get(i);
      }
    }
    Placement found = placer.place(view.free(), demand(view, job), view.gpus(job));
    return found == null ? null : placer.suited(view, job, found);
  }
}
