package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Rooms;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LpRoundingTest {
  private static final double NO = Double.NEGATIVE_INFINITY;

  private static LpRounding.Solved solve(SlotProblem problem, long seed) {
    return new LpRounding().solveWithBound(problem, new SplittableRandom(seed));
  }

  @Test
  void plansFitAndNoJobRunsAtALoss() {
    Seeds.each(
        120,
        (random, seed) -> {
          SlotProblem problem = Slots.random(random);
          LpRounding.Solved solved = solve(problem, seed);
          ScratchServers free = new ScratchServers(problem.cluster());
          double profit = 0;
          for (int j = 0; j < problem.jobs().size(); j++) {
            SlotJob job = problem.jobs().get(j);
            Placement placement = solved.plan().placements().get(j);
            if (placement != null) {
              assertThat(placement.workers()).isBetween(job.minWorkers(), job.maxWorkers());
              assertThat(free.holds(placement, job.demand())).isTrue();
              free.take(placement, job.demand());
              assertThat(job.profit(placement)).isPositive();
              profit += job.profit(placement);
            }
          }
          assertThat(solved.plan().profit()).isEqualTo(profit);
          assertThat(profit).isLessThanOrEqualTo(solved.upperBound() + 1e-9);
        });
  }

  @Test
  void sameSeedSamePlan() {
    Seeds.each(
        50,
        (random, seed) -> {
          SlotProblem problem = Slots.random(random);
          assertThat(solve(problem, seed)).isEqualTo(solve(problem, seed));
        });
  }

  /**
   * One server of 4 GPUs. The LP takes all of the first job and 1/3 of the second, which does not
   * fit beside it; the last GPU goes to the third, which the LP leaves out: 1/2 is less than 2/3.
   */
  @Test
  void roomThatIsLeftIsFilled() {
    List<SlotJob> jobs =
        List.of(
            Slots.fixed(0, Demand.NONE, 3, 3, NO),
            Slots.fixed(1, Demand.NONE, 3, 2, NO),
            Slots.fixed(2, Demand.NONE, 1, 0.5, NO));
    SlotPlan plan = solve(new SlotProblem(Rooms.cluster(4), jobs), 1).plan();
    assertThat(plan.placements()).containsExactly(Placement.on(0, 3), null, Placement.on(0, 1));
    assertThat(plan.profit()).isEqualTo(3.5);
  }

  /** Best fit would take the first server. */
  @Test
  void aJobStaysWhereItRuns() {
    double[] profits = {1};
    SlotJob job = Slots.job(0, Demand.NONE, 2, profits, profits, Placement.on(1, 2));
    SlotPlan plan = solve(new SlotProblem(Rooms.cluster(2, 4), List.of(job)), 1).plan();
    assertThat(plan.placements()).containsExactly(Placement.on(1, 2));
  }
}
