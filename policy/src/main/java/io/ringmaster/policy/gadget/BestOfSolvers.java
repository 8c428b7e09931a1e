package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.policy.Shares;
import java.util.random.RandomGenerator;

/**
 * Greedy, and the configuration LP where it may do better: if greedy is within half a percent of a
 * bound that costs next to nothing, the LP has nothing to add. How much is tried depends on the
 * number of jobs, not on a clock, so that a run can be repeated.
 */
final class BestOfSolvers {
  private static final double GOOD_ENOUGH = 0.995;

  private final GreedySlot greedy = new GreedySlot();
  private final LpRounding lp = new LpRounding();
  private final Shares shares;
  private final boolean always;
  private final int mostJobs;

  /** A plan, and what no plan can exceed. */
  record Solved(SlotPlan plan, double bound, boolean byLp) {}

  BestOfSolvers(Cluster cluster, String solver, int lpJobs) {
    this.shares = new Shares(cluster);
    this.always = solver.equals("lp");
    this.mostJobs = solver.equals("greedy") ? 0 : lpJobs;
  }

  Solved solve(SlotProblem problem, RandomGenerator random) {
    SlotPlan plan = greedy.solve(problem, random);
    double bound = KnapsackBound.of(problem);
    int jobs = problem.jobs().size();
    boolean worthTrying = jobs <= mostJobs && plan.profit() < GOOD_ENOUGH * bound;
    if (jobs == 0 || !(always || worthTrying)) {
      return new Solved(plan, Math.max(bound, plan.profit()), false);
    }
    LpRounding.Solved rounded = lp.solveWithBound(problem, random);
    SlotPlan better = rounded.plan().profit() > plan.profit() ? rounded.plan() : plan;
    return new Solved(better, Math.min(bound, rounded.upperBound()), true);
  }

  SlotPlan fill(SlotProblem problem) {
    return greedy.fill(problem);
  }

  double density(SlotJob job) {
    return GreedySlot.density(job, shares);
  }
}
