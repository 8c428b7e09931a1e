package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rings;
import io.ringmaster.model.Server;
import io.ringmaster.model.Slots;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.LazyHeap;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.Policy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run of a policy over a workload, event by event. At one instant jobs end first, then jobs
 * arrive, then the policy decides once. A job's speed changes at the moment that a ring comes to or
 * leaves one of its servers.
 *
 * <p>State is in primitive arrays by job: a million jobs take about 100 bytes each.
 */
public final class Simulation {
  private static final int EVENTS_BETWEEN_PROGRESS = 1 << 12;

  final Cluster cluster;
  final Jobs jobs;
  private final Lengths lengths;
  final Estimates estimates;
  private final IterationTime iterationTime;
  private final Slots slots;
  private final double startSeconds;
  private final double restartSeconds;
  private final Policy policy;
  private final String policyName;
  private final RunObserver observer;
  final Ledger ledger;
  private final Rings rings;
  final RunResult result;
  private final LazyHeap nextEvents = new LazyHeap();
  private final SimulatedView view;
  private final IntList felt = new IntList();

  /** Ideal seconds done by {@link #from}, and how fast it goes on after that. */
  private final double[] done;

  private final BitSet alreadyThere = new BitSet();
  private final double[] gpuWatts;
  private final double[] speed;
  private final double[] from;
  final double[] segmentStart;
  double now;

  public Simulation(
      Cluster cluster,
      Jobs jobs,
      String policyName,
      Policy policy,
      Estimate estimate,
      long seed,
      RunObserver observer) {
    this(cluster, jobs, Lengths.of(jobs, cluster), policyName, policy, estimate, seed, observer);
  }

  /** A run of jobs whose lengths are known already. */
  public Simulation(
      Cluster cluster,
      Jobs jobs,
      Lengths lengths,
      String policyName,
      Policy policy,
      Estimate estimate,
      long seed,
      RunObserver observer) {
    int n = jobs.size();
    this.cluster = cluster;
    this.jobs = jobs;
    this.lengths = lengths;
    this.estimates = new Estimates(jobs, lengths, estimate, seed);
    this.iterationTime = IterationTime.of(cluster);
    this.slots = new Slots(cluster.network().slotSeconds());
    this.startSeconds = slots.atOrAfter(cluster.startSeconds());
    this.restartSeconds = slots.atOrAfter(cluster.restartSeconds());
    this.policy = policy;
    this.policyName = policyName;
    this.observer = observer;
    this.ledger = new Ledger(policyName, cluster, new Gangs(jobs, cluster), n);
    this.rings = new Rings(cluster.size(), iterationTime);
    this.result = new RunResult(lengths, n);
    this.view = new SimulatedView(this, new SplittableRandom(seed));
    this.done = new double[n];
    this.gpuWatts = cluster.servers().stream().mapToDouble(Server::gpuWatts).toArray();
    this.speed = new double[n];
    this.from = new double[n];
    this.segmentStart = new double[n];
    Arrays.fill(segmentStart, Double.NaN);
  }

  /**
   * Begins with a job that is running already, to see how things go on from there. To be called
   * before {@link #run()}, for jobs that are submitted at time 0.
   */
  public void place(int job, Placement placement) {
    arrive(job);
    ledger.open(now);
    ledger.start(job, placement);
    alreadyThere.set(job);
    openSegment(job, placement);
  }

  /** Runs to the end of the last job. */
  public RunResult run() {
    return run(Double.POSITIVE_INFINITY);
  }

  /**
   * Runs up to a time, which is as far as an experiment with a horizon looks. What happens at that
   * very time still happens; jobs that are under way are left unfinished.
   */
  public RunResult run(double untilSeconds) {
    int arrivals = 0;
    int n = jobs.size();
    while (result.finished < n) {
      double next = nextEvents.isEmpty() ? Double.POSITIVE_INFINITY : nextEvents.peekKey();
      if (arrivals < n) {
        next = Math.min(next, slots.atOrAfter(jobs.submitSeconds(arrivals)));
      }
      boolean woken = ledger.wakeSeconds() <= next;
      if (woken) {
        next = slots.atOrAfter(ledger.wakeSeconds());
      }
      if (next > untilSeconds) {
        break;
      }
      result.events += woken ? 1 : 0;
      if (next == Double.POSITIVE_INFINITY) {
        throw new IllegalStateException(
            "policy %s leaves %d jobs waiting for ever: nothing runs and it starts nothing"
                .formatted(policyName, arrivals - result.finished));
      }
      now = next;
      while (!nextEvents.isEmpty() && nextEvents.peekKey() <= now) {
        endOrOutlive(nextEvents.peek());
      }
      while (arrivals < n && jobs.submitSeconds(arrivals) <= now) {
        arrive(arrivals++);
      }
      rerateFelt();
      decide();
    }
    if (result.finished < n) {
      cutOff(Math.max(now, untilSeconds), arrivals);
    }
    result.notes = policy.notes();
    return result;
  }

  private void cutOff(double seconds, int arrivals) {
    now = seconds;
    for (int job = 0; job < arrivals; job++) {
      if (ledger.running(job)) {
        settle(job);
        closeSegment(job, ledger.placement(job));
      }
      if (!Double.isNaN(result.startSeconds[job]) && Double.isNaN(result.finishSeconds[job])) {
        // In the middle of a job's last slot, the slot's pace may be beyond the end of its work.
        result.doneShare[job] = Math.min(1, done[job] / lengths.idealSeconds(job));
      }
    }
  }

  private void count() {
    if (result.events++ % EVENTS_BETWEEN_PROGRESS == 0) {
      observer.progress(result.finished);
    }
  }

  private void arrive(int job) {
    if (alreadyThere.get(job)) {
      return;
    }
    count();
    estimates.arrive(job, now);
    ledger.submit(job);
    view.arrived.add(job);
  }

  private void endOrOutlive(int job) {
    count();
    if (!estimates.perfect() && trueEnd(job) > now) {
      settle(job);
      estimates.outlived(job, done[job]);
      schedule(job);
      return;
    }
    nextEvents.poll();
    from[job] = now;
    done[job] = lengths.idealSeconds(job);
    closeSegment(job, ledger.end(job));
    estimates.end(job, now);
    result.finishSeconds[job] = now;
    result.doneShare[job] = 1;
    result.finished++;
    view.ended.add(job);
  }

  private void decide() {
    ledger.open(now);
    policy.decide(view, ledger);
    view.clear();
    IntList touched = ledger.touched();
    for (int i = 0; i < touched.size(); i++) {
      int job = touched.get(i);
      Placement before = ledger.before(job);
      Placement after = ledger.after(job);
      if (!Objects.equals(before, after)) {
        change(job, before, after);
      }
    }
    rerateFelt();
  }

  private void change(int job, @Nullable Placement before, @Nullable Placement after) {
    if (before != null) {
      settle(job);
      closeSegment(job, before);
      nextEvents.remove(job);
    }
    speed[job] = 0;
    if (after != null) {
      openSegment(job, after);
      if (ledger.learningRate(job) > 0) {
        observer.learningRate(job, now, after.workers(), ledger.learningRate(job));
      }
    }
  }

  private void openSegment(int job, Placement placement) {
    segmentStart[job] = now;
    if (Double.isNaN(result.startSeconds[job])) {
      result.startSeconds[job] = now;
    } else {
      result.restarts[job]++;
    }
    from[job] = now + warmupSeconds(job);
    if (sharesLinks(job, placement)) {
      rings.join(job, jobs.profile(job), placement);
    } else {
      setSpeed(job, placement, 1);
    }
  }

  /** How long a job that has been started makes no progress at first. */
  double warmupSeconds(int job) {
    if (alreadyThere.get(job) && result.restarts[job] == 0) {
      return 0;
    }
    return result.restarts[job] == 0 ? startSeconds : restartSeconds;
  }

  private boolean sharesLinks(int job, Placement placement) {
    return placement.crossesServers() && jobs.model(job) >= 0 && iterationTime.neighboursMatter();
  }

  private void closeSegment(int job, Placement placement) {
    double held = now - segmentStart[job];
    result.heldSeconds[job] += held;
    result.heldGpuSeconds[job] += held * placement.workers();
    for (int i = 0; i < placement.size(); i++) {
      result.energyJoules += held * placement.gpus(i) * gpuWatts[placement.server(i)];
    }
    double warmup = Math.min(held, warmupSeconds(job));
    observer.segment(job, segmentStart[job], now, warmup, placement);
    segmentStart[job] = Double.NaN;
    if (sharesLinks(job, placement)) {
      rings.leave(job, placement);
    }
  }

  private void rerateFelt() {
    if (!rings.anyChanged()) {
      return;
    }
    felt.clear();
    rings.drainFelt(felt);
    for (int i = 0; i < felt.size(); i++) {
      int job = felt.get(i);
      Placement placement = ledger.placement(job);
      setSpeed(job, placement, rings.contenders(job, placement));
    }
  }

  private void setSpeed(int job, Placement placement, double contenders) {
    double tau = iterationTime.seconds(jobs.profile(job), placement, contenders);
    double next =
        ((double) placement.workers() / jobs.gpus(job))
            * slots.speed(lengths.iterationSeconds(job), tau);
    if (next != speed[job]) {
      settle(job);
      speed[job] = next;
      schedule(job);
    }
  }

  private void settle(int job) {
    if (now > from[job]) {
      done[job] += speed[job] * (now - from[job]);
      from[job] = now;
    }
  }

  private void schedule(int job) {
    double end = trueEnd(job);
    nextEvents.put(
        job, estimates.perfect() ? end : Math.min(end, endOf(job, estimates.nextLookSeconds(job))));
    view.rerated.add(job);
  }

  private double trueEnd(int job) {
    return endOf(job, lengths.idealSeconds(job));
  }

  double endOf(int job, double idealSeconds) {
    return slots.atOrAfter(from[job] + (idealSeconds - done[job]) / speed[job]);
  }

  /** Ideal seconds done by now, also for a job that the pass under way has just suspended. */
  double doneNow(int job) {
    return now > from[job] ? done[job] + speed[job] * (now - from[job]) : done[job];
  }
}
