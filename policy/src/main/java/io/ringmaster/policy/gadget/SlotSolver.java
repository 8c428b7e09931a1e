package io.ringmaster.policy.gadget;

import java.util.random.RandomGenerator;

/** A way to solve the problem of one slot. */
public interface SlotSolver {
  /**
   * A plan that fits the cluster, in which no job runs at a loss.
   *
   * @param random for solvers that draw
   */
  SlotPlan solve(SlotProblem problem, RandomGenerator random);
}
