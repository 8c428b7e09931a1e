package io.ringmaster.policy.gadget;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IndexedHeap;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.placement.Pack;
import io.ringmaster.policy.placement.Placer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives workers to the job whose next jump is worth the most for each part of the cluster that it
 * takes. A jump goes from one number of workers to any greater one: speed is not concave in the
 * number of workers, so that one more may be worth nothing and four more a lot. The jumps worth
 * trying are the corners of the upper hull of a job's profits.
 *
 * <p>Two plans are made, and the better is taken: one that forgets where jobs are, and one that
 * lets them be where it can. Each takes O(jobs x workers), and a search for room for each jump.
 */
public final class GreedySlot implements SlotSolver {
  /** A plan that moves fewer jobs is taken if it is worth as much, but for rounding. */
  private static final double ROUNDING = 1e-12;

  @Override
  public SlotPlan solve(SlotProblem problem, RandomGenerator random) {
    SlotPlan anywhere = grow(problem, new ScratchServers(problem.free()), false);
    SlotPlan settled = settle(problem, anywhere);
    SlotPlan staying =
        problem.jobs().stream().anyMatch(j -> j.current() != null)
            ? grow(problem, new ScratchServers(problem.free()), true)
            : settled;
    double margin = ROUNDING * Math.abs(anywhere.profit());
    SlotPlan best = settled.profit() >= anywhere.profit() - margin ? settled : anywhere;
    return staying.profit() >= best.profit() - margin ? staying : best;
  }

  /** Gives out what is free, without a look at where jobs are. */
  public SlotPlan fill(SlotProblem problem) {
    return grow(problem, new ScratchServers(problem.free()), false);
  }

  /** What a job's first jump is worth for each part of the cluster that it takes. */
  static double density(SlotJob job, Shares shares) {
    int[] corners = corners(job, 0, 0);
    return corners.length == 0
        ? 0
        : job.most(corners[0]) / (corners[0] * shares.ofWorker(job.demand()));
  }

  private static SlotPlan grow(SlotProblem problem, ScratchServers free, boolean stay) {
    return new Growth(problem, free, stay).run();
  }

  /** The same numbers of workers, but jobs stay where they are if that is possible for all. */
  private static SlotPlan settle(SlotProblem problem, SlotPlan plan) {
    List<SlotJob> jobs = problem.jobs();
    List<@Nullable Placement> settled = nowhere(jobs.size());
    ScratchServers free = new ScratchServers(problem.free());
    Placer placer = new Pack(problem.cluster());
    List<Integer> moving = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Placement wanted = plan.placements().get(i);
      Placement current = jobs.get(i).current();
      if (wanted != null
          && current != null
          && current.workers() == wanted.workers()
          && free.holds(current, jobs.get(i).demand())) {
        settled.set(i, current);
        free.take(current, jobs.get(i).demand());
      } else if (wanted != null) {
        moving.add(i);
      }
    }
    moving.sort(
        Comparator.comparingInt((Integer i) -> -workers(plan.placements().get(i)))
            .thenComparingInt(i -> i));
    for (int i : moving) {
      SlotJob job = jobs.get(i);
      Placement found = placer.place(free, job.demand(), workers(plan.placements().get(i)));
      if (found == null) {
        return plan;
      }
      free.take(found, job.demand());
      settled.set(i, found);
    }
    return SlotPlan.of(problem, settled);
  }

  private static List<@Nullable Placement> nowhere(int jobs) {
    List<@Nullable Placement> placements = new ArrayList<>(jobs);
    for (int i = 0; i < jobs; i++) {
      placements.add(null);
    }
    return placements;
  }

  private static int workers(@Nullable Placement placement) {
    return placement == null ? 0 : placement.workers();
  }

  /** One run of the heuristic. */
  private static final class Growth {
    private final SlotProblem problem;
    private final ScratchServers free;
    private final Placer placer;
    private final List<@Nullable Placement> placements;
    private final double[] profit;
    private final int[][] corners;
    private final int[] next;
    private final boolean[] exact;
    private final double[] share;

    /** By density, negative: the greatest comes first. */
    private final IndexedHeap jumps = IndexedHeap.ascending();

    Growth(SlotProblem problem, ScratchServers free, boolean stay) {
      int n = problem.jobs().size();
      this.problem = problem;
      this.free = free;
      this.placer = new Pack(problem.cluster());
      Shares shares = new Shares(problem.cluster());
      this.placements = nowhere(n);
      this.profit = new double[n];
      this.corners = new int[n][];
      this.next = new int[n];
      this.exact = new boolean[n];
      this.share = new double[n];
      for (int i = 0; i < n; i++) {
        share[i] = shares.ofWorker(job(i).demand());
        Placement current = job(i).current();
        if (stay
            && current != null
            && free.holds(current, job(i).demand())
            && job(i).profit(current) > 0) {
          put(i, current, job(i).profit(current));
        }
      }
      for (int i = 0; i < n; i++) {
        Placement at = placements.get(i);
        corners[i] = corners(job(i), at == null ? 0 : at.workers(), profit[i]);
        push(i);
      }
    }

    private SlotJob job(int i) {
      return problem.jobs().get(i);
    }

    private int workersOf(int i) {
      return workers(placements.get(i));
    }

    private void put(int i, Placement placement, double worth) {
      free.take(placement, job(i).demand());
      placements.set(i, placement);
      profit[i] = worth;
    }

    private void push(int i) {
      if (next[i] < corners[i].length) {
        exact[i] = false;
        jumps.put(i, -density(i, corners[i][next[i]], job(i).most(corners[i][next[i]])));
      }
    }

    private double density(int i, int workers, double worth) {
      return (worth - profit[i]) / ((workers - workersOf(i)) * share[i]);
    }

    SlotPlan run() {
      while (!jumps.isEmpty() && free.total() > 0) {
        int i = jumps.peek();
        double key = jumps.peekKey();
        jumps.poll();
        if (key < 0) {
          jump(i);
        }
      }
      return SlotPlan.of(problem, placements);
    }

    /** Tries a job's next jump. If it is worth less than it promised, others may come first. */
    private void jump(int i) {
      SlotJob job = job(i);
      @Nullable Placement before = placements.get(i);
      if (before != null) {
        free.release(before, job.demand());
      }
      int wanted = corners[i][next[i]];
      @Nullable Placement whole = place(job, wanted);
      @Nullable Placement found =
          whole == null ? lessThan(job, wanted, workers(before)) : orOnOne(i, whole);
      double worth = found == null ? 0 : job.profit(found);
      if (found == null || worth <= profit[i]) {
        giveBack(job, before);
        if (whole != null) {
          next[i]++;
          push(i);
        }
        return;
      }
      double density = density(i, found.workers(), worth);
      if (!exact[i] && !jumps.isEmpty() && -density > jumps.peekKey()) {
        giveBack(job, before);
        exact[i] = true;
        jumps.put(i, -density);
        return;
      }
      put(i, found, worth);
      if (whole != null) {
        corners[i] = corners(job, found.workers(), worth);
        next[i] = 0;
        push(i);
      }
    }

    /** A ring across servers, or as many of its workers as one server holds: what pays more. */
    private Placement orOnOne(int i, Placement ring) {
      SlotJob job = job(i);
      int most = ring.crossesServers() ? free.workers(free.freest(), job.demand()) : 0;
      if (most <= workersOf(i) || most < job.minWorkers() || most >= ring.workers()) {
        return ring;
      }
      @Nullable Placement one = place(job, most);
      return one != null
              && density(i, most, job.profit(one)) > density(i, ring.workers(), job.profit(ring))
          ? one
          : ring;
    }

    private void giveBack(SlotJob job, @Nullable Placement before) {
      if (before != null) {
        free.take(before, job.demand());
      }
    }

    private @Nullable Placement place(SlotJob job, int workers) {
      Placement current = job.current();
      return current != null && current.workers() == workers && free.holds(current, job.demand())
          ? current
          : placer.place(free, job.demand(), workers);
    }

    /** The most profitable number of workers between two that there is room for. */
    private @Nullable Placement lessThan(SlotJob job, int wanted, int has) {
      int low = Math.max(has, job.minWorkers() - 1);
      int high = wanted;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (place(job, middle) != null) {
          low = middle;
        } else {
          high = middle;
        }
      }
      @Nullable Placement best = null;
      for (int w = Math.max(has + 1, job.minWorkers()); w <= low; w++) {
        @Nullable Placement found = place(job, w);
        if (found != null && (best == null || job.profit(found) > job.profit(best))) {
          best = found;
        }
      }
      return best;
    }
  }

  /** Corners of the upper hull of a job's profits, from a number of workers on. */
  static int[] corners(SlotJob job, int fromWorkers, double fromProfit) {
    int first = Math.max(fromWorkers + 1, job.minWorkers());
    int[] hull = new int[Math.max(0, job.maxWorkers() - first + 1)];
    int size = 0;
    for (int w = first; w <= job.maxWorkers(); w++) {
      double worth = job.most(w);
      if (worth <= (size == 0 ? fromProfit : job.most(hull[size - 1]))) {
        continue;
      }
      while (size > 0) {
        int before = size > 1 ? hull[size - 2] : fromWorkers;
        double beforeWorth = size > 1 ? job.most(before) : fromProfit;
        int top = hull[size - 1];
        boolean below =
            (job.most(top) - beforeWorth) * (w - top) <= (worth - job.most(top)) * (top - before);
        if (!below) {
          break;
        }
        size--;
      }
      hull[size++] = w;
    }
    return Arrays.copyOf(hull, size);
  }
}
