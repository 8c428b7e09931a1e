package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.execution.Execution;
import io.ringmaster.simulator.JobKinds.On;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;

/**
 * Which kind of GPU each job is for, of those that it may use. The policy is told of one: so every
 * policy works with kinds, and none has to know of them.
 *
 * <p>A job is for the kind on which it is likely to end first: it waits until what is before it
 * there is done, and then takes as long as it takes there, as far as lengths are known. While it
 * waits it may be told to be for another on which GPUs are idle, if it then ends sooner. Where the
 * policy does not ask how long jobs are, all are taken to be as long as those that have ended.
 */
final class KindChoice {
  /** Of the jobs that wait, so many are looked at in one go. */
  private static final int MOST_LOOKED_AT = 1000;

  /** After so long a job leaves the queue, and comes back after as long again. */
  private static final double CHANGE_SECONDS = 1;

  /** How long a job is before any has ended; all that counts is that all are as long. */
  private static final double FIRST_SECONDS = 3600;

  private final Jobs jobs;
  private final JobKinds kinds;
  private final IntToDoubleFunction estimateSeconds;

  /** Whether nobody asks how long a job is; and what those took that have ended, and how many. */
  private boolean blind;

  private double endedSeconds;
  private int ended;

  /** Index into the options of a job. */
  private final byte[] chosen;

  /** GPU-seconds that each job was to take on its kind when it was put down for that. */
  private final double[] area;

  /** GPU-seconds that it has had there since. */
  private final double[] had;

  private final double[] since;

  /** GPU-seconds that anybody has held of each kind. */
  private final double[] heldGpuSeconds;

  /** Jobs with a choice that do not run. */
  private final BitSet open = new BitSet();

  /** Those of them that are about to be for another kind. */
  private final BitSet changing = new BitSet();

  /** They leave the queue, and come back, in the order of time. */
  private final Queue<Change> leaving = new ArrayDeque<>();

  private final Queue<Change> returning = new ArrayDeque<>();

  private record Change(int job, int option, double atSeconds) {}

  /**
   * By kind: GPUs that are there now, that there are if nothing fails, that anybody holds, and that
   * those ask for who wait for it.
   */
  private final int[] gpus;

  private final int[] wholeGpus;
  private final int[] busy;
  private final int[] asked;

  /**
   * By kind: GPU-seconds of the jobs that are for it; what they have had; and what those that run
   * have had, as a line over time.
   */
  private final double[] areas;

  private final double[] hads;
  private final int[] slope;
  private final double[] intercept;

  KindChoice(Cluster cluster, Jobs jobs, JobKinds kinds, IntToDoubleFunction estimateSeconds) {
    this.jobs = jobs;
    this.kinds = kinds;
    this.estimateSeconds = estimateSeconds;
    this.chosen = new byte[jobs.size()];
    this.area = new double[jobs.size()];
    this.had = new double[jobs.size()];
    this.since = new double[jobs.size()];
    int count = kinds.kinds().size();
    this.gpus = new int[count];
    this.heldGpuSeconds = new double[count];
    this.busy = new int[count];
    this.asked = new int[count];
    this.areas = new double[count];
    this.hads = new double[count];
    this.slope = new int[count];
    this.intercept = new double[count];
    servers(cluster);
    this.wholeGpus = gpus.clone();
  }

  /** These servers are there now. */
  void servers(Cluster visible) {
    for (int kind = 0; kind < gpus.length; kind++) {
      String name = kinds.kinds().get(kind);
      gpus[kind] =
          visible.servers().stream()
              .filter(server -> server.gpu().equals(name))
              .mapToInt(server -> server.gpus())
              .sum();
    }
  }

  /** Of each kind, the share of its GPUs' time in which somebody held them. */
  Map<String, Object> utilizations(double spanSeconds) {
    Map<String, Object> shares = new LinkedHashMap<>();
    for (int kind = 0; gpus.length > 1 && kind < gpus.length; kind++) {
      shares.put(
          "gpu_utilization_" + kinds.kinds().get(kind),
          heldGpuSeconds[kind] / (wholeGpus[kind] * spanSeconds));
    }
    return shares;
  }

  /** What a job is on the kind that it is for. */
  On on(int job) {
    return kinds.options(job).get(chosen[job]);
  }

  /** {@link JobKinds#idealSeconds} on that kind. */
  double idealSeconds(int job) {
    return kinds.idealSeconds(job, on(job));
  }

  /** How many times as long as ideal a job takes on that kind. */
  double slowdown(int job) {
    return kinds.slowdown(job, on(job));
  }

  /** A job comes. */
  void came(int job, double nowSeconds) {
    List<On> options = kinds.options(job);
    double least = Double.POSITIVE_INFINITY;
    byte best = 0;
    for (byte i = 0; i < options.size(); i++) {
      On on = options.get(i);
      boolean now = on.kind() == JobKinds.MIXED || room(on.kind()) >= jobs.gpus(job);
      double end = (now ? 0 : backlogSeconds(on.kind(), 0, nowSeconds)) + seconds(job, on);
      if (end < least) {
        least = end;
        best = i;
      }
    }
    putDown(job, best, 0);
    open.set(job, options.size() > 1);
  }

  /** The policy does not ask how long jobs are, and neither does this. */
  void useNoLengths() {
    blind = true;
  }

  /** How long a job takes at its best, as far as is known. */
  private double idealLength(int job) {
    return !blind
        ? estimateSeconds.applyAsDouble(job)
        : ended == 0 ? FIRST_SECONDS : endedSeconds / ended;
  }

  /** The share of a job that is left. */
  private double left(int job, double doneSeconds) {
    return blind ? 1 : Math.max(0, 1 - doneSeconds / idealLength(job));
  }

  /** How long a job takes on a kind, from its beginning. */
  private double seconds(int job, On on) {
    return idealLength(job) * kinds.slowdown(job, on);
  }

  /** How long the GPUs of a kind are busy with the jobs that are for it, but for one. */
  private double backlogSeconds(int kind, double ownGpuSeconds, double nowSeconds) {
    double running = slope[kind] * nowSeconds + intercept[kind];
    double left = areas[kind] - hads[kind] - running - ownGpuSeconds;
    return Math.max(0, left) / Math.max(1, gpus[kind]);
  }

  /** GPUs that are idle, and that nobody waits for who is for that kind. */
  private int room(int kind) {
    return gpus[kind] - busy[kind] - asked[kind];
  }

  private void putDown(int job, byte option, double doneSeconds) {
    chosen[job] = option;
    On on = on(job);
    if (on.kind() != JobKinds.MIXED) {
      area[job] = jobs.gpus(job) * left(job, doneSeconds) * seconds(job, on);
      areas[on.kind()] += area[job];
      asked[on.kind()] += jobs.gpus(job);
    }
  }

  private void takeBack(int job) {
    int kind = on(job).kind();
    if (kind != JobKinds.MIXED) {
      areas[kind] -= area[job];
      hads[kind] -= had[job];
      asked[kind] -= jobs.gpus(job);
      had[job] = 0;
    }
  }

  /** A job that came runs already: it is for the kind on which it is. */
  void isOn(int job, Placement placement, double nowSeconds) {
    List<On> options = kinds.options(job);
    On here = kinds.at(job, placement);
    if (here != null && !here.equals(on(job))) {
      takeBack(job);
      putDown(job, (byte) options.indexOf(here), 0);
    }
    started(job, placement, nowSeconds);
  }

  /** A job starts on servers of the whole cluster. */
  void started(int job, Placement placement, double nowSeconds) {
    for (int i = 0; i < placement.size(); i++) {
      busy[kinds.kindOf(placement.server(i))] += placement.gpus(i);
    }
    open.clear(job);
    since[job] = nowSeconds;
    int kind = on(job).kind();
    if (kind != JobKinds.MIXED) {
      asked[kind] -= jobs.gpus(job);
      slope[kind] += placement.workers();
      intercept[kind] -= placement.workers() * nowSeconds;
    }
  }

  /** A job stops there, and waits. */
  void stopped(int job, Placement placement, double nowSeconds) {
    for (int i = 0; i < placement.size(); i++) {
      int kind = kinds.kindOf(placement.server(i));
      busy[kind] -= placement.gpus(i);
      heldGpuSeconds[kind] += placement.gpus(i) * (nowSeconds - since[job]);
    }
    open.set(job, kinds.options(job).size() > 1);
    int kind = on(job).kind();
    if (kind != JobKinds.MIXED) {
      double gpuSeconds = placement.workers() * (nowSeconds - since[job]);
      asked[kind] += jobs.gpus(job);
      slope[kind] -= placement.workers();
      intercept[kind] += placement.workers() * since[job];
      had[job] += gpuSeconds;
      hads[kind] += gpuSeconds;
    }
  }

  /** A job that stopped has ended, and was so long at its best. */
  void ended(int job, double idealSeconds) {
    takeBack(job);
    open.clear(job);
    changing.clear(job);
    endedSeconds += idealSeconds;
    ended++;
  }

  /** Finds jobs that wait and would end sooner on another kind, of which GPUs are idle. */
  void look(Execution execution) {
    boolean any = false;
    for (int kind = 0; kind < gpus.length; kind++) {
      any |= room(kind) > 0;
    }
    int job = any ? open.nextSetBit(0) : -1;
    for (int looked = 0; job >= 0 && looked < MOST_LOOKED_AT; looked++) {
      boolean waits = execution.ledger().waiting(job) && !changing.get(job);
      int option = waits ? better(execution, job) : -1;
      if (option >= 0) {
        changing.set(job);
        asked[kinds.options(job).get(option).kind()] += jobs.gpus(job);
        leaving.add(new Change(job, option, execution.nowSeconds() + CHANGE_SECONDS));
      }
      job = open.nextSetBit(job + 1);
    }
  }

  /** The option on which a job would end first if it started there now; -1: none is better. */
  private int better(Execution execution, int job) {
    On here = on(job);
    double left = left(job, execution.kept(job));
    double ahead = backlogSeconds(here.kind(), area[job] - had[job], execution.nowSeconds());
    double least = ahead + left * seconds(job, here);
    int best = -1;
    List<On> options = kinds.options(job);
    for (int i = 0; i < options.size(); i++) {
      boolean fits = i != chosen[job] && room(options.get(i).kind()) >= jobs.gpus(job);
      double end = fits ? left * seconds(job, options.get(i)) : Double.POSITIVE_INFINITY;
      if (end < least) {
        least = end;
        best = i;
      }
    }
    return best;
  }

  /** When a job next leaves the queue, or comes back; infinity if none does. */
  double nextSeconds() {
    Change out = leaving.peek();
    Change back = returning.peek();
    return Math.min(
        out == null ? Double.POSITIVE_INFINITY : out.atSeconds,
        back == null ? Double.POSITIVE_INFINITY : back.atSeconds);
  }

  /**
   * Jobs that are to change leave the queue, and those that left come back for another kind. A
   * policy sees the one and the other at two moments, so that it need not know a job anew in the
   * same breath.
   *
   * @param comes does what is to be done with a job that comes back
   */
  void change(Execution execution, IntConsumer comes) {
    double now = execution.nowSeconds();
    Ledger ledger = execution.ledger();
    for (Change next = returning.peek(); next != null && next.atSeconds <= now; ) {
      int job = returning.remove().job;
      // If servers went or came back meanwhile, a new policy has been shown the job as it was.
      boolean away =
          changing.get(job)
              && !ledger.waiting(job)
              && Double.isNaN(execution.segmentStartSeconds(job));
      forget(next);
      if (away) {
        takeBack(job);
        putDown(job, (byte) next.option, execution.kept(job));
        comes.accept(job);
      }
      next = returning.peek();
    }
    for (Change next = leaving.peek(); next != null && next.atSeconds <= now; ) {
      leaving.remove();
      if (ledger.waiting(next.job)) {
        execution.leave(next.job);
        returning.add(new Change(next.job, next.option, now + CHANGE_SECONDS));
      } else {
        forget(next);
      }
      next = leaving.peek();
    }
  }

  private void forget(Change change) {
    changing.clear(change.job);
    asked[kinds.options(change.job).get(change.option).kind()] -= jobs.gpus(change.job);
  }

  /** A job that waits is for the fastest kind on which it fits what is there, if there is one. */
  void fit(int job, Predicate<Demand> fits, double doneSeconds) {
    List<On> options = kinds.options(job);
    for (byte i = 0; i < options.size(); i++) {
      if (fits.test(options.get(i).demand())) {
        takeBack(job);
        putDown(job, i, doneSeconds);
        return;
      }
    }
  }
}
