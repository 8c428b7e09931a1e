package io.ringmaster.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.policy.gadget.ConfigurationLp;
import io.ringmaster.policy.gadget.GreedySlot;
import io.ringmaster.policy.gadget.KnapsackBound;
import io.ringmaster.policy.gadget.LpRounding;
import io.ringmaster.policy.gadget.SlotJob;
import io.ringmaster.policy.gadget.SlotPlan;
import io.ringmaster.policy.gadget.SlotProblem;
import io.ringmaster.policy.gadget.SlotSolver;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Solvers of a slot, and bounds on what it is worth, beside the proved best. */
class SlotSolversTest {
  private static final double EQUAL = 1e-7;

  private static final List<SlotSolver> SOLVERS =
      List.of(new ExactSlot(), new GreedySlot(), new LpRounding());

  /** Numbers that no plan's profit may exceed. */
  private static final List<ToDoubleFunction<SlotProblem>> UPPER_BOUNDS =
      List.of(
          SlotSolversTest::eachJobAlone,
          KnapsackBound::of,
          problem -> ConfigurationLp.solve(problem).upperBound());

  @Test
  void noPlanIsAboveTheBestAndNoBoundIsBelow() {
    double[] worst = new double[SOLVERS.size()];
    Arrays.fill(worst, 1);
    Seeds.each(
        50,
        (random, seed) -> {
          SlotProblem problem = SlotCases.random(random, 4, 4, random.nextInt(2, 7));
          double[] shares = compare(problem, seed, SOLVERS, UPPER_BOUNDS);
          for (int i = 0; i < worst.length; i++) {
            worst[i] = Math.min(worst[i], shares[i]);
          }
        });
    for (int i = 0; i < worst.length; i++) {
      String name = SOLVERS.get(i).getClass().getSimpleName();
      System.out.printf("%s: at least %.3f of the best profit of a slot%n", name, worst[i]);
    }
  }

  /** The share of the best profit that each solver reaches. */
  private static double[] compare(
      SlotProblem problem,
      long seed,
      List<SlotSolver> solvers,
      List<ToDoubleFunction<SlotProblem>> upperBounds) {
    double best = new ExactSlot().solve(problem, new SplittableRandom(seed)).profit();
    for (ToDoubleFunction<SlotProblem> bound : upperBounds) {
      assertThat(bound.applyAsDouble(problem)).isGreaterThanOrEqualTo(best - EQUAL);
    }
    double[] shares = new double[solvers.size()];
    for (int i = 0; i < shares.length; i++) {
      SlotPlan plan = solvers.get(i).solve(problem, new SplittableRandom(seed));
      assertThat(SlotCases.broken(problem, plan)).isEmpty();
      assertThat(plan.profit()).isLessThanOrEqualTo(best + EQUAL);
      shares[i] = best == 0 ? 1 : plan.profit() / best;
    }
    return shares;
  }

  private static double eachJobAlone(SlotProblem problem) {
    double sum = 0;
    for (SlotJob job : problem.jobs()) {
      double most = 0;
      for (int workers = job.minWorkers(); workers <= job.maxWorkers(); workers++) {
        most = Math.max(most, job.most(workers));
      }
      sum += most;
    }
    return sum;
  }
}
