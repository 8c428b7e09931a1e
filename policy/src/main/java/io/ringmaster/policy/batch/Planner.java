package io.ringmaster.policy.batch;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.placement.GpuRule;
import io.ringmaster.policy.placement.Gpus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Algorithm 1 of Yu, Ji, Rajan, Liu, MobiHoc 2022 (arXiv 2207.07817), section 5: bisection on
 * theta, the limit of any GPU's planned time, and for each theta every kappa that makes a
 * difference; the makespan of each trial is evaluated with contention.
 *
 * <p>Trials share work. Jobs are in ascending order of size and kappa only says from which size on
 * they are spread: the trial for the greatest kappa passes through the beginning of all others,
 * which branch off it and go on side by side. A trial that theta did not constrain gives the same
 * for every theta above its busiest GPU. A trial is given up when it takes as long as the best.
 * There is no search if the first plan takes no longer than the longest job alone.
 *
 * <p>Choices: without a horizon T, the greatest theta is the planned time of the busiest GPU when
 * nothing limits it, and theta is a multiple of its 1024th part. The best of all trials is taken,
 * and of the one without a limit, also if none ends within T.
 */
final class Planner {
  private static final int STEPS = 1024;

  /** Ends that differ by less are the same end, rounded differently. */
  private static final double ROUNDING = 1e-12;

  private final Batch batch;
  private final Demand[] demands;
  private final Gpus start;
  private final GpuRule small;
  private final @Nullable GpuRule large;
  private final boolean fixed;
  private final int[] kappas;

  /**
   * Prepares a search.
   *
   * @param demands what each job of the batch takes beside GPUs
   * @param start the GPUs at present, with the planned time of running jobs
   * @param large the rule for jobs above kappa; null: there is one rule for all
   * @param fixed whether GPUs are fixed beforehand, busy or not, rather than taken when idle
   * @param kappa the only one to be tried; 0: all
   */
  Planner(
      Batch batch,
      Demand[] demands,
      Gpus start,
      GpuRule small,
      @Nullable GpuRule large,
      boolean fixed,
      int kappa) {
    this.batch = batch;
    this.demands = demands;
    this.start = start;
    this.small = small;
    this.large = large;
    this.fixed = fixed;
    this.kappas = large == null || kappa > 0 ? new int[] {kappa} : distinctSizes(batch);
  }

  /** Every size is a kappa; 1 too, should all jobs be larger. */
  private static int[] distinctSizes(Batch batch) {
    IntList sizes = new IntList();
    sizes.add(1);
    for (int i = 0; i < batch.waiting(); i++) {
      if (batch.workers(i) != sizes.get(sizes.size() - 1)) {
        sizes.add(batch.workers(i));
      }
    }
    return sizes.toArray();
  }

  /** The plan without any limit. */
  Plan unlimited() {
    return trial(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /**
   * Searches for theta.
   *
   * @param horizonSeconds T; 0: found from the jobs
   */
  Plan search(double horizonSeconds) {
    Plan unlimited = unlimited();
    if (unlimited.endSeconds() <= batch.earliestEndSeconds() * (1 + ROUNDING)) {
      return unlimited;
    }
    double horizon = horizonSeconds > 0 ? horizonSeconds : unlimited.mostPlannedSeconds();
    double step = batch.slots().seconds() > 0 ? batch.slots().seconds() : horizon / STEPS;
    double toBeat =
        horizonSeconds > 0 ? batch.startSeconds() + horizonSeconds : Double.POSITIVE_INFINITY;
    Plan best = unlimited;
    int low = 1;
    int high = (int) Math.round(horizon / step);
    while (low <= high) {
      int middle = (low + high) >>> 1;
      double limit = middle * step;
      Plan plan =
          limit >= unlimited.mostPlannedSeconds()
              ? unlimited
              : trial(limit, Math.max(toBeat, best.endSeconds()));
      if (plan.endSeconds() < best.endSeconds()) {
        best = plan;
      }
      if (plan.endSeconds() < toBeat) {
        toBeat = plan.endSeconds();
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return best;
  }

  /** The best kappa for a theta; the smallest of equals. */
  private Plan trial(double limit, double toBeat) {
    List<Branch> branches = fixed ? fixedBranches(limit) : idleBranches(limit, toBeat);
    List<Plan> plans = branches.parallelStream().map(b -> b.finish(toBeat)).toList();
    Plan best = Plan.infeasible(limit);
    double mostPlanned = 0;
    for (Plan plan : plans) {
      mostPlanned = Math.max(mostPlanned, plan.mostPlannedSeconds());
      if (plan.endSeconds() < best.endSeconds()) {
        best = plan;
      }
    }
    return new Plan(limit, best.kappa(), best.endSeconds(), mostPlanned, best.gpusOf());
  }

  /** A trial on its way. */
  private sealed interface Branch {
    Plan finish(double toBeat);
  }

  private List<Branch> fixedBranches(double limit) {
    List<Branch> branches = new ArrayList<>();
    for (int kappa : kappas) {
      branches.add(new FixedTrial(limit, kappa));
    }
    return branches;
  }

  private List<Branch> idleBranches(double limit, double toBeat) {
    List<Branch> branches = new ArrayList<>();
    IdleTrial trunk = new IdleTrial(limit);
    for (int k = 0; k < kappas.length; k++) {
      boolean last = k == kappas.length - 1;
      if (large != null || !last) {
        trunk.pack(kappas[k], toBeat);
        if (trunk.failed) {
          break;
        }
      }
      branches.add(last ? trunk.branch(kappas[k]) : trunk.copy().branch(kappas[k]));
    }
    return branches;
  }

  private GpuRule rule(int index, int kappa) {
    GpuRule spread = large;
    return spread == null || batch.workers(index) <= kappa ? small : spread;
  }

  /** Jobs take idle GPUs, and the first that finds none holds up all behind it. */
  private final class IdleTrial implements Branch {
    private final double limit;
    private final Gpus gpus;
    private final Timeline timeline;
    private final int[][] held;
    private final IntList ended = new IntList();
    private int next;
    private int kappa;
    private boolean failed;

    IdleTrial(double limit) {
      this.limit = limit;
      this.gpus = start.copy();
      this.timeline = new Timeline(batch);
      this.held = new int[batch.size()][];
      for (int i = batch.waiting(); i < held.length; i++) {
        held[i] = batch.gpus(i);
      }
    }

    private IdleTrial(IdleTrial other) {
      limit = other.limit;
      gpus = other.gpus.copy();
      timeline = other.timeline.copy();
      held = other.held.clone();
      next = other.next;
    }

    IdleTrial copy() {
      return new IdleTrial(this);
    }

    IdleTrial branch(int ownKappa) {
      kappa = ownKappa;
      return this;
    }

    /** Starts all jobs of up to a size. */
    void pack(int upTo, double toBeat) {
      while (!failed && next < batch.waiting() && batch.workers(next) <= upTo) {
        step(small, toBeat);
      }
    }

    private void step(GpuRule rule, double toBeat) {
      int[] chosen = new int[batch.workers(next)];
      double seconds = batch.plannedSeconds(next);
      while (gpus.idle() < chosen.length
          || !rule.choose(gpus, demands[next], seconds, limit, false, chosen)) {
        if (timeline.isIdle()) {
          failed = true;
          return;
        }
        advance();
        if (timeline.nowSeconds() >= toBeat) {
          failed = true;
          return;
        }
      }
      gpus.plan(chosen, seconds);
      gpus.occupy(chosen, demands[next]);
      held[next] = chosen;
      timeline.start(next, gpus.placement(chosen));
      next++;
    }

    private void advance() {
      timeline.advance(ended);
      ended.forEach(job -> gpus.release(held[job], demands[job]));
    }

    @Override
    public Plan finish(double toBeat) {
      while (!failed && next < batch.waiting()) {
        step(rule(next, kappa), toBeat);
      }
      double end = failed ? Double.POSITIVE_INFINITY : timeline.end(ended, toBeat);
      return new Plan(limit, kappa, end, gpus.mostPlannedSeconds(), new int[0][]);
    }
  }

  /** Each job is given its GPUs beforehand, limited by theta alone, and waits for them. */
  private final class FixedTrial implements Branch {
    private final double limit;
    private final int kappa;

    FixedTrial(double limit, int kappa) {
      this.limit = limit;
      this.kappa = kappa;
    }

    @Override
    public Plan finish(double toBeat) {
      Gpus gpus = start.copy();
      int[][] gpusOf = new int[batch.size()][];
      for (int i = 0; i < batch.size(); i++) {
        if (i < batch.waiting()) {
          gpusOf[i] = new int[batch.workers(i)];
          double seconds = batch.plannedSeconds(i);
          if (!rule(i, kappa).choose(gpus, demands[i], seconds, limit, true, gpusOf[i])) {
            return Plan.infeasible(limit);
          }
          gpus.plan(gpusOf[i], seconds);
        } else {
          gpusOf[i] = batch.gpus(i);
        }
      }
      double end = evaluate(gpus, gpusOf, toBeat);
      return new Plan(limit, kappa, end, gpus.mostPlannedSeconds(), gpusOf);
    }

    private double evaluate(Gpus gpus, int[][] gpusOf, double toBeat) {
      Timeline timeline = new Timeline(batch);
      FixedGpus claims = claims(batch, demands, gpus, gpusOf);
      IntList ended = new IntList();
      while (true) {
        for (int i = claims.next(); i >= 0; i = claims.next()) {
          claims.start(i);
          timeline.start(i, gpus.placement(gpusOf[i]));
        }
        if (timeline.isIdle() || timeline.nowSeconds() >= toBeat) {
          break;
        }
        timeline.advance(ended);
        ended.forEach(claims::end);
      }
      return timeline.isIdle() ? timeline.nowSeconds() : Double.POSITIVE_INFINITY;
    }
  }

  /** Who waits for which GPUs, with the running jobs on theirs. */
  static FixedGpus claims(Batch batch, Demand[] demands, Gpus gpus, int[][] gpusOf) {
    int[] order = IntStream.range(0, batch.size()).toArray();
    FixedGpus claims = new FixedGpus(batch.cluster(), gpus, order, gpusOf, demands);
    for (int i = batch.waiting(); i < order.length; i++) {
      claims.start(i);
    }
    return claims;
  }
}
