package io.ringmaster.policy.gadget;

import io.ringmaster.model.Demand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The configuration LP of one slot by column generation. A column is a job with its workers on
 * certain servers; the LP takes at most one of each job's, in fractions, and no more of a resource
 * than there is: GPUs, CPUs and memory of servers, bandwidth of their links and of the uplinks of
 * racks and pods. Links count if rings reserve. A ring takes as much of a link in one direction as
 * in the other, so one row stands for both.
 *
 * <p>The profit of a column is the optimistic one, {@link SlotJob#mostOnOneServer} or {@link
 * SlotJob#mostAcrossServers}. So every plan of whole jobs is a solution of the LP that is worth no
 * less there, and the LP's value is an upper bound of every plan: what a certificate needs.
 *
 * <p>The bound does not rest on the LP being solved to the end, nor on the solver being exact. For
 * any prices of the resources that are not negative, the price of all resources plus what each job
 * earns at most at these prices is a bound (Lagrange). {@link RingPrices} finds the latter exactly,
 * so each round gives a bound, and the least is kept. It is never above the usual one, the value of
 * the columns so far plus each job's best reduced profit.
 *
 * <p>How much work is done is limited by counting it, not by the clock: the same problem has the
 * same answer on every machine.
 *
 * <p>After GADGET (Yu et al., INFOCOM 2022), which embeds rings by an LP and randomised rounding.
 * There a ring is a walk through the network; here its workers are counted by server, which is
 * enough where servers hang on racks, racks on pods and pods on a core.
 */
public final class ConfigurationLp {
  private static final int MOST_ROUNDS = 100;

  /** Additions and multiplications after which the best bound so far has to do, about. */
  private static final long MOST_STEPS = 500_000_000;

  /** The bound is good enough if it is within this share of what the columns give. */
  private static final double GAP = 1e-6;

  /** Columns must promise at least this share of the bound. */
  private static final double EPSILON = 1e-9;

  /** First columns are the best at the price of a GPU in the knapsack, and around it. */
  private static final double[] FIRST_PRICES = {1, 0.9, 1.1};

  /** A fraction of a job with so many workers. */
  public record Share(int workers, double fraction) {}

  /**
   * A solution.
   *
   * @param upperBound no plan's profit exceeds it
   * @param shares for each job of the problem its fractions, fewest workers first; they add up to
   *     at most 1
   */
  public record Solution(double upperBound, List<List<Share>> shares) {}

  private final SlotProblem problem;
  private final LpRows rows;
  private final RingPrices[] ringPrices;
  private final List<RingPrices> groups = new ArrayList<>();
  private final GubSimplex master;
  private final double[] best;

  /** Of each job; negative: across servers. */
  private final int[] bestWorkers;

  private long pricingSteps;

  private ConfigurationLp(SlotProblem problem) {
    this.problem = problem;
    List<SlotJob> jobs = problem.jobs();
    rows = new LpRows(problem);
    master = new GubSimplex(rows.count(), jobs.size());
    best = new double[jobs.size()];
    bestWorkers = new int[jobs.size()];
    ringPrices = new RingPrices[jobs.size()];
    Map<Demand, Integer> most = new HashMap<>();
    for (SlotJob job : jobs) {
      int workers = Math.min(job.maxWorkers(), problem.cluster().totalGpus());
      most.merge(job.demand(), workers, Math::max);
    }
    Map<Demand, RingPrices> byDemand = new HashMap<>();
    for (int j = 0; j < ringPrices.length; j++) {
      Demand demand = jobs.get(j).demand();
      RingPrices group = byDemand.get(demand);
      if (group == null) {
        group = new RingPrices(rows, demand, most.getOrDefault(demand, 0));
        byDemand.put(demand, group);
        groups.add(group);
      }
      ringPrices[j] = group;
    }
  }

  public static Solution solve(SlotProblem problem) {
    return new ConfigurationLp(problem).solve();
  }

  private Solution solve() {
    double bound = Math.min(KnapsackBound.of(problem), firstColumns());
    List<List<Share>> shares = Collections.nCopies(best.length, List.of());
    boolean more = true;
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
      if (!master.optimise(MOST_STEPS - pricingSteps)) {
        break;
      }
      double priced = price(master.prices());
      // Not a minimum: prices that are no numbers must not spoil what is proved.
      bound = priced < bound ? priced : bound;
      shares = shares();
      more =
          bound - master.profit() > GAP * bound
              && master.steps() + pricingSteps < MOST_STEPS
              && addColumns(EPSILON * bound);
    }
    return new Solution(bound, shares);
  }

  private double firstColumns() {
    double gpu = KnapsackBound.ofGpus(problem).price();
    double bound = Double.POSITIVE_INFINITY;
    int[] before = new int[best.length];
    for (double factor : FIRST_PRICES) {
      bound = Math.min(bound, price(rows.gpuPrices(gpu * factor)));
      for (int j = 0; j < best.length; j++) {
        if (bestWorkers[j] != before[j] && bestWorkers[j] != 0) {
          master.add(bestColumn(j));
        }
        before[j] = bestWorkers[j];
      }
    }
    return bound;
  }

  /** Finds each job's best column at prices of the resources; returns the bound of these prices. */
  private double price(double[] prices) {
    for (RingPrices group : groups) {
      pricingSteps += group.update(prices);
    }
    double bound = 0;
    for (double price : prices) {
      bound += price;
    }
    for (int j = 0; j < best.length; j++) {
      findBest(j);
      bound += best[j];
    }
    return bound;
  }

  private void findBest(int j) {
    SlotJob job = problem.jobs().get(j);
    RingPrices ring = ringPrices[j];
    int last = Math.min(job.maxWorkers(), ring.mostWorkers());
    best[j] = 0;
    bestWorkers[j] = 0;
    for (int w = job.minWorkers(); w <= last; w++) {
      double one = job.mostOnOneServer(w) - ring.onOneServer(w);
      if (one > best[j]) {
        best[j] = one;
        bestWorkers[j] = w;
      }
      double across = job.mostAcrossServers(w) - ring.acrossServers(w);
      if (across > best[j]) {
        best[j] = across;
        bestWorkers[j] = -w;
      }
    }
  }

  private boolean addColumns(double least) {
    int before = master.columns().size();
    for (int j = 0; j < best.length; j++) {
      if (best[j] - master.jobPrice(j) > least) {
        master.add(bestColumn(j));
      }
    }
    return master.columns().size() > before;
  }

  private Column bestColumn(int j) {
    SlotJob job = problem.jobs().get(j);
    int w = Math.abs(bestWorkers[j]);
    return bestWorkers[j] > 0
        ? Column.of(j, w, job.mostOnOneServer(w), ringPrices[j].usageOnOneServer(w))
        : Column.of(j, w, job.mostAcrossServers(w), ringPrices[j].usageAcrossServers(w));
  }

  private List<List<Share>> shares() {
    List<TreeMap<Integer, Double>> byWorkers = new ArrayList<>();
    for (int j = 0; j < best.length; j++) {
      byWorkers.add(new TreeMap<>());
    }
    double[] fractions = master.fractions();
    for (int k = 0; k < fractions.length; k++) {
      if (fractions[k] > EPSILON) {
        Column column = master.columns().get(k);
        byWorkers.get(column.job()).merge(column.workers(), fractions[k], Double::sum);
      }
    }
    List<List<Share>> shares = new ArrayList<>();
    for (TreeMap<Integer, Double> ofJob : byWorkers) {
      double sum = ofJob.values().stream().mapToDouble(Double::doubleValue).sum();
      // A sum of 1 may have been rounded up.
      double whole = Math.max(1, sum);
      List<Share> list = new ArrayList<>();
      ofJob.forEach((workers, fraction) -> list.add(new Share(workers, fraction / whole)));
      shares.add(Collections.unmodifiableList(list));
    }
    return Collections.unmodifiableList(shares);
  }
}
