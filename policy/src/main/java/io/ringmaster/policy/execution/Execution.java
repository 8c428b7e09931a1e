package io.ringmaster.policy.execution;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.LazyHeap;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Jobs under way on a cluster, as a policy decides: who is where, how far, how fast, and when
 * something is due next. It has no clock. Whoever drives it says what time it is, which jobs come
 * and end, and when the policy is to be asked; and is told which jobs it moved.
 *
 * <p>Jobs are dense ints, state is in primitive arrays.
 */
public final class Execution {
  private static final byte NEVER = 0;
  private static final byte FIRST = 1;
  private static final byte AGAIN = 2;
  private static final byte TAKEN_OVER = 3;

  /** What the policy sees; all there is, unless {@link #showServers} said otherwise. */
  Cluster cluster;

  final JobTable jobs;
  Ledger ledger;
  final Progress progress;
  final IntList arrived = new IntList();
  final IntList ended = new IntList();
  final IntList rerated = new IntList();
  private final View view;
  private final LazyHeap nextEvents = new LazyHeap();
  private final IntList moved = new IntList();
  private final double startSeconds;
  private final double restartSeconds;

  /** Index in the whole cluster of each server that the policy sees; null: it sees all. */
  private int @Nullable [] wholeServers;

  private byte[] begun;
  private double[] heldGpuSeconds;
  private double[] segmentStart;

  /** How often each job had to leave where it was. */
  private int[] stops;

  /** Jobs below this have come. */
  private int come;

  private final LikelyLengths likely;

  /**
   * Begins at time 0 without a job.
   *
   * @param expectedJobs for how many there is room before anything has to grow
   * @param seed of the policy's random numbers
   */
  public Execution(String policyName, Cluster cluster, JobTable jobs, int expectedJobs, long seed) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.ledger = new Ledger(policyName, cluster, jobs, expectedJobs);
    this.progress = new Progress(jobs, cluster, expectedJobs);
    this.startSeconds = progress.slots().atOrAfter(cluster.startSeconds());
    this.restartSeconds = progress.slots().atOrAfter(cluster.restartSeconds());
    this.view = new ExecutionView(this, new SplittableRandom(seed));
    this.begun = new byte[expectedJobs];
    this.heldGpuSeconds = new double[expectedJobs];
    this.segmentStart = new double[expectedJobs];
    this.stops = new int[expectedJobs];
    this.likely = new LikelyLengths(this);
    Arrays.fill(segmentStart, Double.NaN);
  }

  private void ensure(int count) {
    int before = segmentStart.length;
    if (count > before) {
      progress.ensure(count);
      begun = Grow.ensure(begun, count);
      heldGpuSeconds = Grow.ensure(heldGpuSeconds, count);
      stops = Grow.ensure(stops, count);
      segmentStart = Grow.ensure(segmentStart, count);
      Arrays.fill(segmentStart, before, segmentStart.length, Double.NaN);
    }
  }

  /** What the policy sees. */
  public View view() {
    return view;
  }

  /** Who is where. To be read; what happens to jobs is said here. */
  public Ledger ledger() {
    return ledger;
  }

  public double nowSeconds() {
    return progress.nowSeconds();
  }

  /** Time has come this far. */
  public void goTo(double seconds) {
    progress.goTo(seconds);
  }

  /** When the policy wants to be asked again; infinity if it does not. */
  public double wakeSeconds() {
    return progress.slots().atOrAfter(ledger.wakeSeconds());
  }

  /** Whether a job is to be looked at by now. */
  public boolean isDue() {
    return nextEventSeconds() <= nowSeconds();
  }

  /** When a job is next to be looked at; infinity if nothing runs. */
  public double nextEventSeconds() {
    return nextEvents.isEmpty() ? Double.POSITIVE_INFINITY : nextEvents.peekKey();
  }

  /** The job that is to be looked at then. */
  public int nextEventJob() {
    return nextEvents.peek();
  }

  /** A job comes, and waits. */
  public void submit(int job) {
    ensure(job + 1);
    come = Math.max(come, job + 1);
    ledger.submit(job);
    arrived.add(job);
  }

  /**
   * From now on the policy sees these servers alone, and no job until it is submitted or shown
   * again. Jobs that run go on. All jobs must have been {@link #hide hidden}.
   *
   * @param servers the index of each in the cluster that this execution began with
   */
  public void showServers(Cluster visible, int[] servers) {
    cluster = visible;
    wholeServers = servers;
    ledger = ledger.on(visible);
    arrived.clear();
    ended.clear();
    rerated.clear();
  }

  /** The policy does not see a job any more; if it runs, it goes on. */
  public void hide(int job) {
    ledger.forget(job);
  }

  /** The policy sees a job that runs, on servers as it knows them. */
  public void show(int job, Placement seen) {
    ledger.submit(job);
    occupy(job, seen);
    arrived.add(job);
  }

  /** A placement as the policy knows it, in the cluster that this execution began with. */
  public Placement whole(Placement seen) {
    return wholeServers == null ? seen : seen.renumbered(wholeServers);
  }

  /**
   * A job that has just come is known to have run before.
   *
   * @param stopped how often it had to leave where it was
   */
  public void ranBefore(
      int job, double doneSeconds, double attainedGpuSeconds, boolean started, int stopped) {
    progress.correct(job, doneSeconds);
    heldGpuSeconds[job] = attainedGpuSeconds;
    begun[job] = started ? FIRST : NEVER;
    stops[job] = stopped;
  }

  /** A job that has just come has been given its place already, and starts there now. */
  public void place(int job, Placement placement) {
    occupy(job, placement);
    goOn(job, placement);
  }

  /** A job that has just come runs already, and need not warm up. */
  public void takeOver(int job, Placement placement, double sinceSeconds) {
    occupy(job, placement);
    begun[job] = TAKEN_OVER;
    open(job, placement, sinceSeconds);
  }

  private void occupy(int job, Placement placement) {
    ledger.open(nowSeconds());
    ledger.start(job, placement);
    ledger.open(nowSeconds());
  }

  /** A job goes: it ended, or is not to be started for now. */
  public void leave(int job) {
    if (ledger.running(job)) {
      stop(job, ledger.end(job));
    } else {
      ledger.withdraw(job);
    }
    int untold = indexOfArrived(job);
    if (untold < 0) {
      ended.add(job);
    } else {
      arrived.removeAt(untold);
    }
  }

  /** Whether the policy has been told that a job came. */
  public boolean hasTold(int job) {
    return indexOfArrived(job) < 0;
  }

  private int indexOfArrived(int job) {
    int at = arrived.size() - 1;
    while (at >= 0 && arrived.get(at) != job) {
      at--;
    }
    return at;
  }

  /**
   * Asks the policy.
   *
   * @return the jobs that it wants elsewhere than they are, in the order of the first decision on
   *     each: {@link #move} carries that out, and {@link #rerate} ends it
   */
  public IntList decide(Policy policy) {
    rerate();
    ledger.open(nowSeconds());
    policy.decide(view, ledger);
    arrived.clear();
    ended.clear();
    rerated.clear();
    moved.clear();
    IntList touched = ledger.touched();
    for (int i = 0; i < touched.size(); i++) {
      int job = touched.get(i);
      if (!Objects.equals(ledger.before(job), ledger.after(job))) {
        moved.add(job);
      }
    }
    return moved;
  }

  /** A job leaves the place where it was, if any, and goes to the one that was decided, if any. */
  public void move(int job) {
    Placement before = ledger.before(job);
    Placement after = ledger.after(job);
    if (before != null) {
      double kept = kept(job);
      stop(job, before);
      progress.goBack(job, kept);
      stops[job]++;
    }
    if (after != null) {
      goOn(job, after);
    }
  }

  /** A job stops here. */
  public void stop(int job, Placement placement) {
    progress.stop(job);
    nextEvents.remove(job);
    heldGpuSeconds[job] += (nowSeconds() - segmentStart[job]) * placement.workers();
    segmentStart[job] = Double.NaN;
  }

  /** A job starts, or goes on there. */
  public void goOn(int job, Placement placement) {
    begun[job] = begun[job] == NEVER ? FIRST : AGAIN;
    open(job, placement, nowSeconds());
  }

  private void open(int job, Placement placement, double sinceSeconds) {
    segmentStart[job] = sinceSeconds;
    if (progress.start(job, whole(placement), nowSeconds() + warmupSeconds(job))) {
      schedule(job);
    }
  }

  /** Those who feel that neighbours came or went get their new speeds. */
  public void rerate() {
    IntList changed = progress.rerate();
    for (int i = 0; i < changed.size(); i++) {
      schedule(changed.get(i));
    }
  }

  /** Adds up what a job has done by now. */
  public double settle(int job) {
    progress.settle(job);
    return progress.done(job);
  }

  /** A job that stopped has lost what it did beyond so much. */
  public void goBack(int job, double keptSeconds) {
    progress.goBack(job, keptSeconds);
  }

  /** It is known how much of a job is done by now. */
  public void correct(int job, double doneSeconds) {
    progress.correct(job, doneSeconds);
  }

  /** A job began to make progress just now, whatever was expected. */
  public void countFromNow(int job) {
    if (progress.countFromNow(job) && progress.speed(job) > 0) {
      schedule(job);
    }
  }

  /** Another length is expected of a running job, or it was corrected. */
  public void schedule(int job) {
    nextEvents.put(job, progress.endOf(job, jobs.nextLookSeconds(job)));
    rerated.add(job);
  }

  /** When a running job has done so many ideal seconds, if nothing changes. */
  public double endOf(int job, double idealSeconds) {
    return progress.endOf(job, idealSeconds);
  }

  /** Ideal seconds that a job has done by now. */
  public double done(int job) {
    return progress.done(job);
  }

  /** How much of that is left if it is stopped now: up to its last checkpoint. */
  public double kept(int job) {
    return jobs.keptSeconds(job, progress.done(job));
  }

  /** Ideal seconds that a job does in a second. */
  public double speed(int job) {
    return progress.speed(job);
  }

  /** Jobs that have come, those that are gone included: they are numbered from 0 to here. */
  int come() {
    return come;
  }

  /** How often a job had to leave where it was. */
  int stops(int job) {
    return stops[job];
  }

  /** What is likely left of a job, in ideal seconds. */
  public double likelyLeftSeconds(int job) {
    return likely.leftSeconds(job);
  }

  /** What a job's speed would be with nobody beside it. */
  public double speedAlone(
      @Nullable ModelProfile profile, int gpus, double iterationSeconds, Placement placement) {
    return progress.speed(profile, gpus, iterationSeconds, placement, 1);
  }

  /** How long a job makes no progress at first where it is. */
  public double warmupSeconds(int job) {
    return switch (begun[job]) {
      case AGAIN -> restartSeconds;
      case TAKEN_OVER -> 0;
      default -> startSeconds;
    };
  }

  /** Since when a job is where it is; NaN if it does not run. */
  public double segmentStartSeconds(int job) {
    return segmentStart[job];
  }

  /** {@link #heldGpuSeconds(int)} of all jobs. Not to be changed. */
  public double[] heldGpuSeconds() {
    return heldGpuSeconds;
  }

  /** GPU-seconds that a job held before it came to where it is. */
  public double heldGpuSeconds(int job) {
    return heldGpuSeconds[job];
  }
}
