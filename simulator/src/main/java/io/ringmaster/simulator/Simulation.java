package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.Slots;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.execution.Execution;
import io.ringmaster.policy.execution.JobTable;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of a policy over a workload, event by event. At one instant jobs end first, then servers
 * and jobs fail, then jobs arrive, then the policy decides once. {@link Execution} knows how far
 * each job is; this class is its clock, and keeps what became of the jobs.
 *
 * <p>State is in primitive arrays by job: a million jobs take about 100 bytes each.
 */
public final class Simulation {
  private static final int EVENTS_BETWEEN_PROGRESS = 1 << 12;
  private static final int MOST_STOPS_IN_VAIN = 10_000;

  private final Jobs jobs;
  private final Lengths lengths;
  private final Estimates estimates;
  private final Execution execution;
  private final Slots slots;
  private final @Nullable Policy policy;

  /** Null if nothing fails; else it knows the policy. */
  private final @Nullable Breakdowns breakdowns;

  private final String policyName;
  private final RunObserver observer;
  private final RunResult result;
  private final BitSet alreadyThere = new BitSet();
  private final double[] gpuWatts;

  /** Null if no job names a kind of GPU. */
  private final @Nullable KindChoice kinds;

  /** Null if no stop costs work. */
  private final @Nullable LostWork lostWork;

  /** Jobs below this one are waited for, and so many of them have not started. */
  private int watched;

  private int toStart = Integer.MAX_VALUE;

  /** When something last happened that was no breakdown. */
  private double lastSeconds;

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

  /** A run in which nothing fails: there is one policy, which cannot be made anew. */
  public Simulation(
      Cluster cluster,
      Jobs jobs,
      Lengths lengths,
      String policyName,
      Policy policy,
      Estimate estimate,
      long seed,
      RunObserver observer) {
    this(
        cluster.mayFail() ? cluster.failing(Failures.NONE, List.of()) : cluster,
        jobs,
        lengths,
        policyName,
        _ -> policy,
        estimate,
        seed,
        observer);
  }

  /**
   * A run of jobs whose lengths are known already.
   *
   * @param policies makes the policy for what it may use: anew whenever servers go or come back
   */
  public Simulation(
      Cluster given,
      Jobs jobs,
      Lengths lengths,
      String policyName,
      Function<Cluster, Policy> policies,
      Estimate estimate,
      long seed,
      RunObserver observer) {
    Cluster cluster = given.counting(jobs);
    JobKinds ofJobs = lengths.kinds();
    this.jobs = jobs;
    this.lengths = lengths;
    this.estimates = new Estimates(jobs, lengths, estimate, seed);
    this.kinds = ofJobs == null ? null : new KindChoice(cluster, jobs, ofJobs, estimates::seconds);
    JobTable table = new WorkloadTable(cluster, jobs, lengths, estimates, kinds);
    this.execution = new Execution(policyName, cluster, table, jobs.size(), seed);
    this.slots = new Slots(cluster.network().slotSeconds());
    this.breakdowns =
        cluster.mayFail() ? new Breakdowns(cluster, jobs, execution, kinds, policies, seed) : null;
    this.policy = breakdowns == null ? policies.apply(cluster) : null;
    this.policyName = policyName;
    this.observer = observer;
    this.result = new RunResult(lengths, jobs.size());
    this.gpuWatts = cluster.servers().stream().mapToDouble(Server::gpuWatts).toArray();
    this.lostWork = jobs.anyCheckpoints() || breakdowns != null ? new LostWork(jobs) : null;
  }

  /** The policy does not ask how long jobs are: kinds of GPU are chosen without that too. */
  public Simulation usingNoLengths() {
    if (kinds != null) {
      kinds.useNoLengths();
    }
    return this;
  }

  /**
   * Begins with a job that is running already, to see how things go on from there. To be called
   * before {@link #run()}, for jobs that are submitted at time 0.
   */
  public void place(int job, Placement placement) {
    place(job, placement, 0);
  }

  /**
   * The same of a job that has something behind it.
   *
   * @param doneSeconds of its length, in ideal seconds
   */
  public void place(int job, Placement placement, double doneSeconds) {
    ranBefore(job, doneSeconds);
    if (kinds != null) {
      kinds.isOn(job, placement, execution.nowSeconds());
    }
    execution.takeOver(job, placement, execution.nowSeconds());
    if (breakdowns != null) {
      breakdowns.started(job, placement.workers());
    }
  }

  /** Begins with a job that was stopped and waits to go on; as {@link #place} in all else. */
  public void stopped(int job, double doneSeconds) {
    ranBefore(job, doneSeconds);
  }

  private void ranBefore(int job, double doneSeconds) {
    arrive(job);
    alreadyThere.set(job);
    result.startSeconds[job] = execution.nowSeconds();
    while (!estimates.perfect() && estimates.seconds(job) <= doneSeconds) {
      estimates.outlived(job, estimates.seconds(job));
    }
    execution.ranBefore(job, doneSeconds, doneSeconds * jobs.gpus(job), true, 0);
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
    int n = jobs.size();
    int arrivals = 0;
    while (result.finished < n && toStart > 0) {
      double next = execution.nextEventSeconds();
      if (arrivals < n) {
        next = Math.min(next, slots.atOrAfter(jobs.submitSeconds(arrivals)));
      }
      boolean woken = execution.ledger().wakeSeconds() <= next;
      if (woken) {
        next = slots.atOrAfter(execution.ledger().wakeSeconds());
      }
      if (kinds != null && kinds.nextSeconds() < next) {
        next = Math.min(next, slots.atOrAfter(kinds.nextSeconds()));
        woken = false;
      }
      if (breakdowns != null) {
        double first = withBreakdowns(breakdowns, next, arrivals);
        woken &= first == next;
        next = first;
      }
      if (next > untilSeconds) {
        break;
      }
      result.events += woken ? 1 : 0;
      if (next == Double.POSITIVE_INFINITY) {
        throw waitsForEver(arrivals);
      }
      execution.goTo(next);
      while (execution.nextEventSeconds() <= next) {
        endOrOutlive(execution.nextEventJob());
      }
      if (breakdowns != null && breakdowns.isDue(next)) {
        breakDown(breakdowns);
      }
      if (kinds != null) {
        kinds.change(execution, this::comes);
      }
      while (arrivals < n && jobs.submitSeconds(arrivals) <= next) {
        arrive(arrivals++);
      }
      decide();
    }
    if (result.finished < n) {
      double now = execution.nowSeconds();
      cutOff(toStart == 0 ? now : Math.max(now, untilSeconds), arrivals);
    }
    result.heldGpuSeconds = execution.heldGpuSeconds();
    Policy last = breakdowns == null ? policy : breakdowns.policy();
    result.notes = last == null ? Map.of() : last.notes();
    if (kinds != null) {
      Map<String, Object> all = new LinkedHashMap<>(result.notes);
      all.putAll(kinds.utilizations(execution.nowSeconds() - jobs.submitSeconds(0)));
      result.notes = all;
    }
    result.mishaps = breakdowns == null ? List.of() : breakdowns.mishaps();
    return result;
  }

  private IllegalStateException waitsForEver(int arrivals) {
    return new IllegalStateException(
        "policy %s leaves %d jobs waiting for ever: nothing runs and it starts nothing"
            .formatted(policyName, arrivals - result.finished));
  }

  /** The next moment, with what may fail by then, if anybody still waits for that. */
  private double withBreakdowns(Breakdowns all, double next, int arrivals) {
    if (next < Double.POSITIVE_INFINITY) {
      lastSeconds = execution.nowSeconds();
      return Math.min(next, all.nextSeconds());
    }
    int job = all.someHidden();
    if (job < 0) {
      throw waitsForEver(arrivals);
    }
    return all.nextSecondsFor(job, lastSeconds);
  }

  /** Jobs lose their servers, or fail by themselves, and the policy is shown what is left. */
  private void breakDown(Breakdowns all) {
    count();
    IntList hit = all.advance();
    for (int i = 0; i < hit.size(); i++) {
      int job = hit.get(i);
      Placement place = Objects.requireNonNull(all.placement(job));
      double kept = all.kept(job, execution.done(job));
      closeSegment(job, place, kept);
      execution.stop(job, place);
      execution.goBack(job, kept);
    }
    all.startOver();
  }

  /** What has happened so far, for an observer that ended the run by throwing. */
  public RunResult soFar() {
    return result;
  }

  /**
   * Runs until the first jobs, in order of submission, have all started: as far as one looks who
   * asks when they do. The others are left unfinished, or waiting.
   */
  public RunResult runUntilStarted(int first) {
    toStart = first - alreadyThere.get(0, first).cardinality();
    watched = first;
    return run();
  }

  private void cutOff(double seconds, int arrivals) {
    execution.goTo(seconds);
    for (int job = 0; job < arrivals; job++) {
      Placement place = placement(job);
      if (place != null) {
        closeSegment(job, place, execution.done(job));
        execution.stop(job, place);
      }
      if (!Double.isNaN(result.startSeconds[job]) && Double.isNaN(result.finishSeconds[job])) {
        // In the middle of a job's last slot, the slot's pace may be beyond the end of its work.
        result.doneShare[job] = Math.min(1, execution.done(job) / lengths.idealSeconds(job));
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
    estimates.arrive(job, execution.nowSeconds());
    if (kinds != null) {
      kinds.came(job, execution.nowSeconds());
    }
    comes(job);
    if (estimates.learns()) {
      estimates.correct(job, 0, execution.likelyLeftSeconds(job));
    }
  }

  private void comes(int job) {
    if (breakdowns == null) {
      execution.submit(job);
    } else {
      breakdowns.arrive(job);
    }
  }

  /** Where a job is; null if it does not run. */
  private @Nullable Placement placement(int job) {
    if (breakdowns != null) {
      return breakdowns.placement(job);
    }
    return execution.ledger().running(job) ? execution.ledger().placement(job) : null;
  }

  private void endOrOutlive(int job) {
    count();
    double now = execution.nowSeconds();
    if (!estimates.perfect() && execution.endOf(job, lengths.idealSeconds(job)) > now) {
      double done = execution.settle(job);
      if (estimates.learns()) {
        estimates.correct(job, done, execution.likelyLeftSeconds(job));
      } else {
        estimates.outlived(job, done);
      }
      execution.schedule(job);
      return;
    }
    closeSegment(job, Objects.requireNonNull(placement(job)), execution.done(job));
    if (breakdowns == null) {
      execution.leave(job);
    } else {
      breakdowns.end(job);
    }
    if (kinds != null) {
      kinds.ended(job, lengths.idealSeconds(job));
    }
    execution.correct(job, lengths.idealSeconds(job));
    estimates.end(job, now);
    result.finishSeconds[job] = now;
    result.doneShare[job] = 1;
    result.finished++;
  }

  private void decide() {
    Policy decides = breakdowns == null ? policy : breakdowns.policy();
    if (decides == null) {
      execution.rerate();
      return;
    }
    IntList moved = execution.decide(decides);
    Ledger ledger = execution.ledger();
    for (int i = 0; i < moved.size(); i++) {
      int job = moved.get(i);
      Placement before = ledger.before(job);
      if (before != null) {
        closeSegment(job, execution.whole(before), execution.kept(job));
      }
      execution.move(job);
      Placement after = ledger.after(job);
      if (after != null) {
        openSegment(job, after);
      }
    }
    execution.rerate();
    if (kinds != null) {
      kinds.look(execution);
    }
  }

  private void openSegment(int job, Placement placement) {
    double now = execution.nowSeconds();
    if (Double.isNaN(result.startSeconds[job])) {
      result.startSeconds[job] = now;
      toStart -= job < watched ? 1 : 0;
    } else {
      result.restarts[job]++;
    }
    double learningRate = execution.ledger().learningRate(job);
    if (learningRate > 0) {
      observer.learningRate(job, now, placement.workers(), learningRate);
    }
    if (breakdowns != null) {
      breakdowns.started(job, placement.workers());
    }
    if (kinds != null) {
      kinds.started(job, execution.whole(placement), now);
    }
  }

  /** A job is about to leave a place, and keeps so much of what it did. */
  private void closeSegment(int job, Placement placement, double keptSeconds) {
    double now = execution.nowSeconds();
    double start = execution.segmentStartSeconds(job);
    double held = now - start;
    result.heldSeconds[job] += held;
    for (int i = 0; i < placement.size(); i++) {
      result.energyJoules += held * placement.gpus(i) * gpuWatts[placement.server(i)];
    }
    double warmup = Math.min(held, execution.warmupSeconds(job));
    result.lostGpuSeconds += warmup * placement.workers();
    if (lostWork != null) {
      double gpuSeconds = (held - warmup) * placement.workers();
      result.lostGpuSeconds += lostWork.stop(job, gpuSeconds, execution.done(job), keptSeconds);
      if (lostWork.inVain(job) == MOST_STOPS_IN_VAIN) {
        throw new IllegalStateException(
            "job %s was stopped %d times in a row before it had saved anything more; let it save more"
                    .formatted(jobs.id(job), MOST_STOPS_IN_VAIN)
                + " often (checkpoint_s), or use another policy than "
                + policyName);
      }
    }
    if (breakdowns != null) {
      breakdowns.stopped(job);
    }
    if (kinds != null) {
      kinds.stopped(job, placement, now);
    }
    observer.segment(job, start, now, warmup, placement);
  }
}
