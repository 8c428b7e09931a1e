package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
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

/**
 * One run of a policy over a workload, event by event. At one instant jobs end first, then jobs
 * arrive, then the policy decides once. {@link Execution} knows how far each job is; this class is
 * its clock, and keeps what became of the jobs.
 *
 * <p>State is in primitive arrays by job: a million jobs take about 100 bytes each.
 */
public final class Simulation {
  private static final int EVENTS_BETWEEN_PROGRESS = 1 << 12;

  private final Jobs jobs;
  private final Lengths lengths;
  private final Estimates estimates;
  private final Execution execution;
  private final Ledger ledger;
  private final Slots slots;
  private final Policy policy;
  private final String policyName;
  private final RunObserver observer;
  private final RunResult result;
  private final BitSet alreadyThere = new BitSet();
  private final double[] gpuWatts;

  /** Jobs below this one are waited for, and so many of them have not started. */
  private int watched;

  private int toStart = Integer.MAX_VALUE;

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
    this.jobs = jobs;
    this.lengths = lengths;
    this.estimates = new Estimates(jobs, lengths, estimate, seed);
    JobTable table = new WorkloadTable(cluster, jobs, lengths, estimates);
    this.execution = new Execution(policyName, cluster, table, jobs.size(), seed);
    this.ledger = execution.ledger();
    this.slots = new Slots(cluster.network().slotSeconds());
    this.policy = policy;
    this.policyName = policyName;
    this.observer = observer;
    this.result = new RunResult(lengths, jobs.size());
    this.gpuWatts = cluster.servers().stream().mapToDouble(Server::gpuWatts).toArray();
  }

  /**
   * Begins with a job that is running already, to see how things go on from there. To be called
   * before {@link #run()}, for jobs that are submitted at time 0.
   */
  public void place(int job, Placement placement) {
    arrive(job);
    alreadyThere.set(job);
    execution.takeOver(job, placement, execution.nowSeconds());
    result.startSeconds[job] = execution.nowSeconds();
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
      execution.goTo(next);
      while (execution.nextEventSeconds() <= next) {
        endOrOutlive(execution.nextEventJob());
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
    result.notes = policy.notes();
    return result;
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
      if (ledger.running(job)) {
        closeSegment(job, ledger.placement(job));
        execution.stop(job, ledger.placement(job));
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
    execution.submit(job);
  }

  private void endOrOutlive(int job) {
    count();
    double now = execution.nowSeconds();
    if (!estimates.perfect() && execution.endOf(job, lengths.idealSeconds(job)) > now) {
      estimates.outlived(job, execution.settle(job));
      execution.schedule(job);
      return;
    }
    closeSegment(job, ledger.placement(job));
    execution.leave(job);
    execution.correct(job, lengths.idealSeconds(job));
    estimates.end(job, now);
    result.finishSeconds[job] = now;
    result.doneShare[job] = 1;
    result.finished++;
  }

  private void decide() {
    IntList moved = execution.decide(policy);
    for (int i = 0; i < moved.size(); i++) {
      int job = moved.get(i);
      Placement before = ledger.before(job);
      if (before != null) {
        closeSegment(job, before);
      }
      execution.move(job);
      Placement after = ledger.after(job);
      if (after != null) {
        openSegment(job, after);
      }
    }
    execution.rerate();
  }

  private void openSegment(int job, Placement placement) {
    double now = execution.nowSeconds();
    if (Double.isNaN(result.startSeconds[job])) {
      result.startSeconds[job] = now;
      toStart -= job < watched ? 1 : 0;
    } else {
      result.restarts[job]++;
    }
    if (ledger.learningRate(job) > 0) {
      observer.learningRate(job, now, placement.workers(), ledger.learningRate(job));
    }
  }

  /** A job is about to leave a place. */
  private void closeSegment(int job, Placement placement) {
    double now = execution.nowSeconds();
    double start = execution.segmentStartSeconds(job);
    double held = now - start;
    result.heldSeconds[job] += held;
    for (int i = 0; i < placement.size(); i++) {
      result.energyJoules += held * placement.gpus(i) * gpuWatts[placement.server(i)];
    }
    double warmup = Math.min(held, execution.warmupSeconds(job));
    result.lostGpuSeconds += warmup * placement.workers();
    observer.segment(job, start, now, warmup, placement);
  }
}
