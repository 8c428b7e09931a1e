package io.ringmaster.policy.asrpt;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.Cost;
import io.ringmaster.policy.ordered.Costs;
import io.ringmaster.policy.ordered.Reservations;
import io.ringmaster.policy.ordered.ServerEnds;
import io.ringmaster.policy.placement.Seating;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeSet;

/**
 * A-SRPT as it was published (Luo, Liu, Lee, Shroff, "Prediction-Assisted Online Distributed Deep
 * Learning Workload Scheduling in GPU Clusters", INFOCOM 2025, arXiv 2501.05563), as far as that
 * could be recovered.
 *
 * <p>A job joins the queue when the virtual machine has finished it. The queue is served in that
 * order, and the first job for which there are too few GPUs holds up all behind it. Only a job that
 * communicates much (scattered over theta times as slow) may be kept waiting for a better placement
 * while others pass: until its iteration is within epsilon of the best, or it has waited tau times
 * its length, or waiting on would cost more than it gains. With {@code bypass=safe} only jobs pass
 * that are expected to end before the first of those who wait must start: which is what {@link
 * Guarantee} needs.
 *
 * <p>Departures: theta, epsilon, tau and the rule of passing are choices, the paper's were not to
 * be had. The virtual size of a job counts its fastest iteration, not that of Heavy-Edge, since
 * that makes the virtual completions a lower bound.
 */
final class LiteralAsrpt implements Policy {
  /** What decides about waiting for a better placement. */
  record Delay(double theta, double epsilon, double tau, boolean safe) {}

  private final Costs costs;
  private final Seating seating;
  private final Delay delay;
  private final ServerEnds ends;
  private final Reservations clearing;
  private final VirtualMachine machine = new VirtualMachine(1);
  private final Guarantee guarantee;

  /** By virtual completion, then by submission. */
  private final TreeSet<Queued> queue = new TreeSet<>();

  private record Queued(double virtualEnd, int job) implements Comparable<Queued> {
    @Override
    public int compareTo(Queued other) {
      int byEnd = Double.compare(virtualEnd, other.virtualEnd);
      return byEnd != 0 ? byEnd : Integer.compare(job, other.job);
    }
  }

  LiteralAsrpt(Cluster cluster, Seating seating, Delay delay) {
    this.costs = new Costs(cluster);
    this.seating = seating;
    this.delay = delay;
    this.ends = new ServerEnds(cluster);
    this.clearing = new Reservations(cluster, ends);
    this.guarantee = new Guarantee(cluster, delay);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    machine.advance(
        view.nowSeconds(),
        (job, seconds) -> {
          Cost cost = costs.of(view, job);
          boolean delayed = cost.communicates(delay.theta);
          guarantee.finishedVirtually(seconds, delayed ? view.estimateSeconds(job) : 0);
          queue.add(new Queued(seconds, job));
        });
    view.ended()
        .forEach(job -> {
          machine.remove(job);
          guarantee.ended(view, job, costs.of(view, job));
        });
    double gpus = view.cluster().totalGpus();
    view.arrived()
        .forEach(job -> {
          Cost cost = costs.of(view, job);
          double least = view.estimateSeconds(job) * cost.leastSeconds() / cost.nearSeconds();
          machine.add(job, view.gpus(job) / gpus * least);
          guarantee.arrived(job, view.gpus(job), cost, view.estimateSeconds(job));
        });
    ends.observe(view);
    double expiry = serve(view, decisions);
    decisions.wakeAt(Math.min(expiry, machine.nextSeconds()));
  }

  /** Serves the queue; returns when the first of those who wait must start. */
  private double serve(View view, Decisions decisions) {
    double expiry = Double.POSITIVE_INFINITY;
    for (Iterator<Queued> walk = queue.iterator(); walk.hasNext(); ) {
      Queued next = walk.next();
      int job = next.job;
      if (!view.waiting(job)) {
        walk.remove();
        continue;
      }
      if (view.gpus(job) > view.free().total()) {
        break;
      }
      Placement placement = seating.place(view, view.free(), job);
      if (placement == null) {
        break;
      }
      Cost cost = costs.of(view, job);
      double length = view.remainingSeconds(job);
      double slowdown = costs.slowdown(view, job, placement, ends.contenders(placement));
      double mustStart = next.virtualEnd + delay.tau * view.estimateSeconds(job);
      if (waits(view, job, cost, slowdown, mustStart)) {
        expiry = Math.min(expiry, mustStart);
      } else if (!delay.safe || view.nowSeconds() + length * slowdown <= expiry) {
        decisions.start(job, placement);
        ends.add(view, job, placement, view.nowSeconds() + length * slowdown);
        walk.remove();
      }
    }
    return expiry;
  }

  private boolean waits(View view, int job, Cost cost, double slowdown, double mustStartSeconds) {
    return cost.communicates(delay.theta)
        && slowdown > 1 + delay.epsilon
        && view.nowSeconds() < mustStartSeconds
        && (slowdown - 1) * view.remainingSeconds(job)
            > clearing.search(view, cost.nearest(), view.demand(job)) - view.nowSeconds();
  }

  @Override
  public Map<String, Object> notes() {
    return guarantee.notes();
  }
}
