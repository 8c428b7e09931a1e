package io.ringmaster.policy.gadget;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.Sorted;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.gadget.ConfigurationLp.Share;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Solves the {@link ConfigurationLp} of a slot and rounds it at random, in the manner of Rost and
 * Schmid (Virtual network placer approximations: leveraging randomized rounding, 2018): each job
 * draws a number of workers with its fractions as probabilities. Those drawn are placed, most
 * profit for the dominant share first, and once more with most profit first, since a small job in
 * the way of a large one can cost most of a slot; the room that is left goes to jobs that are left
 * out. The best of many draws is kept, and of one without chance in which each job has its greatest
 * fraction.
 *
 * <p>Departures: capacities are strict, so a draw that does not fit is dropped where the paper
 * exceeds a capacity by a bounded factor; what is lost shows against the upper bound. The place of
 * a drawn ring is found anew by {@link Pack}: the LP is of classes of servers.
 */
public final class LpRounding implements SlotSolver {
  private static final int DRAWS = 50;

  /**
   * A plan and what no plan exceeds.
   *
   * @param upperBound of the LP that the plan was rounded from
   */
  public record Solved(SlotPlan plan, double upperBound) {}

  @Override
  public SlotPlan solve(SlotProblem problem, RandomGenerator random) {
    return solveWithBound(problem, random).plan();
  }

  /** The plan, and the bound that comes with it. */
  public Solved solveWithBound(SlotProblem problem, RandomGenerator random) {
    ConfigurationLp.Solution solution = ConfigurationLp.solve(problem);
    Rounding rounding = new Rounding(problem);
    SlotPlan best = rounding.plan(greatest(solution.shares()));
    for (int draw = 0; draw < DRAWS; draw++) {
      SlotPlan plan = rounding.plan(drawn(solution.shares(), random));
      best = plan.profit() > best.profit() ? plan : best;
    }
    return new Solved(best, solution.upperBound());
  }

  /** For each job the workers of its greatest fraction, 0 if that is not to run. */
  private static int[] greatest(List<List<Share>> shares) {
    int[] workers = new int[shares.size()];
    for (int j = 0; j < workers.length; j++) {
      double most = 1 - shares.get(j).stream().mapToDouble(Share::fraction).sum();
      for (Share share : shares.get(j)) {
        if (share.fraction() > most) {
          most = share.fraction();
          workers[j] = share.workers();
        }
      }
    }
    return workers;
  }

  private static int[] drawn(List<List<Share>> shares, RandomGenerator random) {
    int[] workers = new int[shares.size()];
    for (int j = 0; j < workers.length; j++) {
      double left = shares.get(j).isEmpty() ? 1 : random.nextDouble();
      for (Share share : shares.get(j)) {
        left -= share.fraction();
        if (left < 0) {
          workers[j] = share.workers();
          break;
        }
      }
    }
    return workers;
  }

  /** What all draws of a problem share. */
  private static final class Rounding {
    private final SlotProblem problem;
    private final List<SlotJob> jobs;
    private final Placer placer;
    private final double[] shareOfWorker;
    private final int[] densestFirst;
    private final int[][] bestFirst;

    /** In the plan that is being made: so many workers found no place, and so no more do. */
    private final Map<Demand, Integer> tooMany = new HashMap<>();

    Rounding(SlotProblem problem) {
      this.problem = problem;
      jobs = problem.jobs();
      placer = new Pack(problem.cluster());
      Shares shares = new Shares(problem.cluster());
      shareOfWorker = jobs.stream().mapToDouble(job -> shares.ofWorker(job.demand())).toArray();
      double[] density = new double[jobs.size()];
      bestFirst = new int[jobs.size()][];
      for (int j = 0; j < density.length; j++) {
        SlotJob job = jobs.get(j);
        bestFirst[j] =
            Sorted.by(
                Comparator.comparingDouble(w -> -job.most(w)),
                IntStream.rangeClosed(job.minWorkers(), job.maxWorkers())
                    .filter(w -> job.most(w) > 0));
        for (int w : bestFirst[j]) {
          density[j] = Math.max(density[j], job.most(w) / (w * shareOfWorker[j]));
        }
      }
      densestFirst = byFalling(density, IntStream.range(0, density.length).toArray());
    }

    /** Places jobs with so many workers each, 0 for none, and fills what is left. */
    SlotPlan plan(int[] workers) {
      double[] profit = new double[workers.length];
      double[] density = new double[workers.length];
      for (int j = 0; j < workers.length; j++) {
        if (workers[j] > 0) {
          profit[j] = jobs.get(j).most(workers[j]);
          density[j] = profit[j] / (workers[j] * shareOfWorker[j]);
        }
      }
      int[] placed = IntStream.range(0, workers.length).filter(j -> workers[j] > 0).toArray();
      SlotPlan dense = plan(workers, byFalling(density, placed));
      SlotPlan large = plan(workers, byFalling(profit, placed));
      return large.profit() > dense.profit() ? large : dense;
    }

    private SlotPlan plan(int[] workers, int[] order) {
      ScratchServers free = new ScratchServers(problem.free());
      List<@Nullable Placement> placements = new ArrayList<>();
      for (int j = 0; j < workers.length; j++) {
        placements.add(null);
      }
      tooMany.clear();
      for (int j : order) {
        placements.set(j, place(free, jobs.get(j), workers[j]));
      }
      for (int j : densestFirst) {
        if (placements.get(j) == null && free.total() > 0) {
          placements.set(j, fill(free, j));
        }
      }
      return SlotPlan.of(problem, placements);
    }

    private @Nullable Placement fill(ScratchServers free, int j) {
      for (int w : bestFirst[j]) {
        Placement placement = w <= free.total() ? place(free, jobs.get(j), w) : null;
        if (placement != null) {
          return placement;
        }
      }
      return null;
    }

    /** Takes room for a job, where it runs if it can stay; null if there is none worth having. */
    private @Nullable Placement place(ScratchServers free, SlotJob job, int workers) {
      Placement current = job.current();
      Placement placement =
          current != null && current.workers() == workers && free.holds(current, job.demand())
              ? current
              : anywhere(free, job.demand(), workers);
      if (placement == null || job.profit(placement) <= 0) {
        return null;
      }
      free.take(placement, job.demand());
      return placement;
    }

    private @Nullable Placement anywhere(ScratchServers free, Demand demand, int workers) {
      if (workers >= tooMany.getOrDefault(demand, Integer.MAX_VALUE)) {
        return null;
      }
      Placement placement = placer.place(free, demand, workers);
      if (placement == null) {
        tooMany.put(demand, workers);
      }
      return placement;
    }

    private static int[] byFalling(double[] values, int[] which) {
      Comparator<Integer> rising = Comparator.comparingDouble(i -> values[i]);
      return Sorted.by(rising.reversed(), Arrays.stream(which));
    }
  }
}
