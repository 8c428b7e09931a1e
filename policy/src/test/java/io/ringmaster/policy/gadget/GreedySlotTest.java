package io.ringmaster.policy.gadget;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Rooms;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.testing.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GreedySlotTest {
  private static SlotPlan solve(SlotProblem problem) {
    return new GreedySlot().solve(problem, new SplittableRandom(1));
  }

  /** A job that is worth so much with 1, 2, ... workers, wherever they are. */
  private static SlotJob job(int id, @Nullable Placement current, double... profits) {
    return new SlotJob(
        id, Demand.NONE, 1, profits, profits, current, p -> profits[p.workers() - 1]);
  }

  /**
   * With A = 1 and B = 2 of the paper's time of an iteration, w workers go at w^2 / (3 w - 2): 1,
   * 1, 9/7, 1.6. One more worker gains nothing at first; three more do.
   */
  @Test
  void jumpsOverNumbersThatGainNothing() {
    SlotProblem problem =
        new SlotProblem(Rooms.cluster(4), List.of(job(0, null, 1, 1, 9 / 7.0, 1.6)));
    SlotPlan plan = solve(problem);
    assertThat(plan.placements()).containsExactly(Placement.on(0, 4));
    assertThat(plan.profit()).isEqualTo(1.6);
  }

  /**
   * Four GPUs. Of a, one worker is worth 3 and two 4; of b, two are worth 5 and one nothing. By
   * worth for each worker: a's first (3), b's two (2.5), then a's second (1).
   */
  @Test
  void mostForEachGpuFirst() {
    SlotProblem problem =
        new SlotProblem(
            Rooms.cluster(4), List.of(job(0, null, 3, 4, 4, 4), job(1, null, 0, 5, 5.5, 5.5)));
    assertThat(solve(problem).placements()).containsExactly(Placement.on(0, 2), Placement.on(0, 2));
  }

  @Test
  void aJobThatLosesIsNotRun() {
    SlotProblem problem = new SlotProblem(Rooms.cluster(4), List.of(job(0, null, -1, -0.5)));
    assertThat(solve(problem).placements()).containsExactly((Placement) null);
  }

  @Test
  void whoRunsStaysIfThatIsWorthAsMuch() {
    Placement here = Placement.on(1, 2);
    SlotProblem problem =
        new SlotProblem(Rooms.cluster(2, 4), List.of(job(0, null, 1, 3), job(1, here, 1, 2)));
    assertThat(solve(problem).placements()).containsExactly(Placement.on(0, 2), here);
  }

  /** The hull of 1, 1, 9/7, 1.6 from nothing: 1, then straight to 4. */
  @Test
  void cornersByHand() {
    assertThat(GreedySlot.corners(job(0, null, 1, 1, 9 / 7.0, 1.6), 0, 0)).containsExactly(1, 4);
    assertThat(GreedySlot.corners(job(0, null, 1, 2, 3, 3), 0, 0)).containsExactly(3);
    assertThat(GreedySlot.corners(job(0, null, 2, 1, 1), 0, 0)).containsExactly(1);
    assertThat(GreedySlot.corners(job(0, null, 1, 2, 2.5), 1, 1)).containsExactly(2, 3);
  }

  @Test
  void plansFitAndAreWorthNoMoreThanTheBestOne() {
    Seeds.each(
        300,
        (random, seed) -> {
          SlotProblem problem = Slots.random(random);
          SlotPlan plan = solve(problem);
          ScratchServers free = new ScratchServers(problem.cluster());
          for (int i = 0; i < problem.jobs().size(); i++) {
            SlotJob job = problem.jobs().get(i);
            Placement placement = plan.placements().get(i);
            if (placement != null) {
              assertThat(free.holds(placement, job.demand())).isTrue();
              free.take(placement, job.demand());
              assertThat(job.profit(placement)).isPositive();
            }
          }
          assertThat(plan.profit()).isLessThanOrEqualTo(Slots.best(problem) + 1e-9);
        });
  }
}
