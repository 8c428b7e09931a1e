package io.ringmaster.bounds;

import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import io.ringmaster.policy.gadget.SlotPlan;
import io.ringmaster.policy.gadget.SlotProblem;
import io.ringmaster.policy.gadget.SlotSolver;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The best plan of a slot of GADGET, with a proof: Lambda = 1 in the guarantee 1 / (1 + Lambda) of
 * its greedy over slots. For small problems, to measure other solvers against.
 *
 * <p>An integer program, solved by CP-SAT. It knows a ring by its number of workers and servers, so
 * what the ring is worth must follow from these, as it does with a fixed reservation or without a
 * network. In other networks that is checked on every placement, and there may be too many.
 *
 * <p>The best to a billionth of the greatest profit of a job, for each job.
 */
public final class ExactSlot implements SlotSolver {
  /** More jobs are refused. */
  public static final int MOST_JOBS = 20;

  /** More jobs times servers are refused. */
  public static final int MOST_PAIRS = 240;

  /**
   * In the solver's own measure of work: not the clock's, so that it gives up at the same point.
   */
  private static final double WORK = 60;

  @Override
  public SlotPlan solve(SlotProblem problem, RandomGenerator random) {
    int count = problem.jobs().size();
    int pairs = count * problem.cluster().size();
    if (count > MOST_JOBS || pairs > MOST_PAIRS) {
      throw new IllegalArgumentException(
          "%d jobs on %d servers: the exact solver takes up to %d jobs, and up to %d jobs x servers"
              .formatted(count, problem.cluster().size(), MOST_JOBS, MOST_PAIRS));
    }
    List<SlotOptions> options =
        problem.jobs().stream().map(job -> new SlotOptions(problem.cluster(), job)).toList();
    if (options.stream().allMatch(each -> each.mostProfit() == 0)) {
      return SlotPlan.of(problem, Collections.nCopies(count, null));
    }
    if (!Search.available()) {
      throw new IllegalStateException("the solver's native part does not load on this machine");
    }
    return solve(problem, new SlotModel(problem, options));
  }

  private static SlotPlan solve(SlotProblem problem, SlotModel model) {
    CpSolver solver = new CpSolver();
    solver
        .getParameters()
        .setNumWorkers(1)
        .setRandomSeed(1)
        .setLinearizationLevel(2)
        .setMaxDeterministicTime(WORK);
    CpSolverStatus status = solver.solve(model.cp());
    if (status != CpSolverStatus.OPTIMAL) {
      throw new IllegalStateException(
          "no proof for %d jobs on %d servers within the limit of work: %s %s"
              .formatted(
                  problem.jobs().size(),
                  problem.cluster().size(),
                  status,
                  status == CpSolverStatus.MODEL_INVALID ? model.cp().validate() : ""));
    }
    SlotPlan plan = SlotPlan.of(problem, model.placements(solver));
    double modelled = model.profit(solver.objectiveValue());
    if (Math.abs(plan.profit() - modelled) > 2 * model.roundingProfit()) {
      throw new IllegalArgumentException(
          "a plan is worth %s, not the %s that its numbers of workers and servers say"
              .formatted(plan.profit(), modelled));
    }
    return plan;
  }
}
