package io.ringmaster.experiments.doubling;

import io.ringmaster.bounds.ExactAllocation;
import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.Network;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.Shares;
import io.ringmaster.policy.slots.Allocation;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How far greedy rules are from the best numbers of workers: on random jobs, the sum of their
 * remaining times with each rule over the least that is possible ({@link ExactAllocation}).
 *
 * <p>All jobs are there at once, and nothing is placed: speeds are those on one server. What is
 * drawn is spread around 138, 81.9, 47.25 and 29.6 s for an epoch on 1, 2, 4 and 8 workers, our
 * numbers for the paper's ResNet-110, whose own were not to hand. An epoch on one worker takes a
 * quarter of 138 s to four times as long. A ring that fits these has, in parts of the computation,
 * a startup of 0.077, steps of 0.085 and a share of 0.05; drawn are startup and steps up to twice
 * that, and a share up to 1, for larger models. Jobs have up to 8 or up to 32 workers. In half of
 * the draws the remaining epochs are uniform from 1 to 160, in half log-normal around 40.
 *
 * <p>The same jobs are drawn for both kinds of all-reduce and for all numbers of GPUs.
 */
public final class AllocationGaps
    extends GridExperiment<AllocationGaps.Crowd, Map<AllocationGaps.Rule, Double>> {
  private static final int[] JOBS = {5, 10, 20};
  private static final int PLOTTED_JOBS = 10;
  private static final int[] GPUS = {16, 32, 64};
  private static final List<AllReduce> KINDS = List.of(AllReduce.RING, AllReduce.BINARY_BLOCKS);

  private static final double EPOCH_SECONDS = 138;
  private static final double MOST_STARTUP = 2 * 0.077;
  private static final double MOST_STEP = 2 * 0.085;
  private static final double MOST_SHARE = 1;

  private static final String MEAN = "time_over_exact";
  private static final String WORST = "worst_over_exact";

  /** So much faster are numbers of workers found than a run is made. */
  private static final int SETS_OF_JOBS_A_DRAW = 20;

  public AllocationGaps() {
    super(
        "allocation",
        "Numbers of workers by doubling, one at a time and equal shares: the sum of remaining"
            + " times over the least possible.",
        "the integer program of Capes, Raheja, Kemertas, Mohomed, MLSys workshop at NeurIPS 2018"
            + " (arXiv 1908.08082), on jobs drawn here; 20 sets of jobs a draw");
  }

  /** Sets of jobs count from 0. */
  @Override
  protected Grid<Crowd, Map<Rule, Double>> grid() {
    return new Grid<>(Crowd.all(), (crowd, draw) -> crowd.ratios(draw - 1));
  }

  @Override
  protected int drawsOfGrid(int draws) {
    return SETS_OF_JOBS_A_DRAW * draws;
  }

  @Override
  public String docs() {
    return "docs/bounds.md";
  }

  @Override
  protected Results results(Outcomes<Crowd, Map<Rule, Double>> outcomes, int draws) {
    List<Row> rows = rows(outcomes);
    List<Plot> plots = new ArrayList<>();
    KINDS.forEach(kind ->
        plots.add(plot(rows, "over-exact-" + kind.text(), "over", MEAN, PLOTTED_JOBS, kind)));
    for (AllReduce kind : KINDS) {
      for (int jobs : JOBS) {
        if (jobs != PLOTTED_JOBS) {
          String name = "over-exact-%s-%d-jobs".formatted(kind.text(), jobs);
          plots.add(plot(rows, name, "over", MEAN, jobs, kind));
        }
      }
    }
    KINDS.forEach(kind ->
        plots.add(
            plot(
                rows,
                "worst-over-exact-" + kind.text(),
                "at worst over",
                WORST,
                PLOTTED_JOBS,
                kind)));
    return new Results(rows, plots);
  }

  private static Plot plot(
      List<Row> rows, String name, String over, String metric, int jobs, AllReduce kind) {
    List<Row> chosen =
        rows.stream()
            .filter(row -> row.metric().equals(metric) && row.number("jobs") == jobs)
            .filter(row -> row.text("all_reduce").equals(kind.text()))
            .toList();
    List<Plot.Series> series = Plot.lines(chosen, Row::policy, row -> row.number("gpus"));
    return new Plot(
        name,
        "Remaining times of %d jobs %s the least possible, %s".formatted(jobs, over, kind.text()),
        "GPUs",
        "sum of times over the best",
        series);
  }

  /** A job as drawn; times are seconds for each epoch on one worker. */
  record Drawn(
      double computeSeconds,
      double startupSeconds,
      double shareSeconds,
      double stepSeconds,
      double epochs,
      int most) {

    static Drawn of(Draws draws, boolean uniform) {
      double compute = EPOCH_SECONDS * StrictMath.pow(4, 2 * draws.uniform() - 1);
      return new Drawn(
          compute,
          compute * MOST_STARTUP * draws.uniform(),
          compute * MOST_SHARE * draws.uniform(),
          compute * MOST_STEP * draws.uniform(),
          uniform ? 1 + 159 * draws.uniform() : 40 * StrictMath.exp(draws.normal()),
          draws.uniform() < 0.5 ? 8 : 32);
    }

    Growing growing(AllReduce kind, boolean doubles) {
      FittedExchange exchange =
          FittedExchange.anywhere(kind, startupSeconds, shareSeconds, stepSeconds);
      return new Growing(this, exchange, doubles);
    }
  }

  /** A job, and how it grows. */
  record Growing(Drawn job, FittedExchange exchange, boolean doubles)
      implements Allocation.Candidate {

    @Override
    public Demand demand() {
      return Demand.NONE;
    }

    @Override
    public int least() {
      return 1;
    }

    @Override
    public int next(int workers) {
      int next = doubles ? 2 * workers : workers + 1;
      return next <= job.most ? next : workers;
    }

    @Override
    public double seconds(int workers) {
      double iterations =
          exchange.together(job.computeSeconds, exchange.insideSeconds(workers)) * job.epochs;
      return iterations / workers;
    }
  }

  /** A way to choose numbers of workers. */
  enum Rule {
    DOUBLING,
    OPTIMUS,
    EQUAL_SHARE,
    /** Tells what is lost to powers of two from what is lost to greed. */
    EXACT_POWERS;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    double seconds(List<Drawn> drawn, AllReduce kind, int gpus) {
      List<Growing> jobs = drawn.stream().map(job -> job.growing(kind, this != OPTIMUS)).toList();
      int[] workers =
          switch (this) {
            case DOUBLING, OPTIMUS -> greedy(jobs, gpus);
            case EQUAL_SHARE -> equal(jobs, gpus);
            case EXACT_POWERS -> ExactAllocation.of(jobs, gpus);
          };
      return ExactAllocation.totalSeconds(jobs, workers);
    }

    private static int[] greedy(List<Growing> jobs, int gpus) {
      Shares shares = new Shares(Cluster.uniform(1, gpus, Network.None.USUAL, 0));
      return Allocation.of(jobs, shares, shares.holding());
    }

    /**
     * The greatest power of two that all can have, or as many as a job may; or one for the first.
     */
    private static int[] equal(List<Growing> jobs, int gpus) {
      int[] workers = new int[jobs.size()];
      int each = Integer.highestOneBit(Math.max(1, gpus / jobs.size()));
      for (int i = 0; i < Math.min(workers.length, gpus); i++) {
        workers[i] = Math.min(each, jobs.get(i).job().most());
      }
      return workers;
    }
  }

  /** So many jobs on so many GPUs. */
  record Crowd(int jobs, int gpus, AllReduce kind) {
    static List<Crowd> all() {
      List<Crowd> all = new ArrayList<>();
      for (int jobs : JOBS) {
        for (int gpus : GPUS) {
          KINDS.forEach(kind -> all.add(new Crowd(jobs, gpus, kind)));
        }
      }
      return all;
    }

    Map<String, Object> setting() {
      Map<String, Object> setting = new LinkedHashMap<>();
      setting.put("jobs", jobs);
      setting.put("gpus", gpus);
      setting.put("all_reduce", kind.text());
      return setting;
    }

    /** The sum of times over the least possible, rule by rule. */
    Map<Rule, Double> ratios(int set) {
      Draws draws = new Draws(set, 0);
      List<Drawn> drawn = new ArrayList<>();
      for (int i = 0; i < jobs; i++) {
        drawn.add(Drawn.of(draws, set % 2 == 0));
      }
      List<Growing> free = drawn.stream().map(job -> job.growing(kind, false)).toList();
      double least = ExactAllocation.totalSeconds(free, ExactAllocation.of(free, gpus));
      Map<Rule, Double> ratios = new EnumMap<>(Rule.class);
      for (Rule rule : Rule.values()) {
        ratios.put(rule, rule.seconds(drawn, kind, gpus) / least);
      }
      return ratios;
    }
  }

  /**
   * For each number of jobs, of GPUs and each all-reduce, and for each rule: the mean over the sets
   * of jobs of its sum of times over the least possible, {@code time_over_exact}, and the worst of
   * all, {@code worst_over_exact}.
   */
  private static List<Row> rows(Outcomes<Crowd, Map<Rule, Double>> outcomes) {
    List<Row> rows = new ArrayList<>();
    for (Crowd crowd : Crowd.all()) {
      for (Rule rule : Rule.values()) {
        double[] own = outcomes.values(crowd, ratios -> Objects.requireNonNull(ratios.get(rule)));
        Statistics worst = new Statistics(Arrays.stream(own).max().orElseThrow(), 0);
        rows.add(
            new Row(crowd.setting(), rule.text(), KnownLengths.KNOWN, MEAN, Statistics.of(own)));
        rows.add(new Row(crowd.setting(), rule.text(), KnownLengths.KNOWN, WORST, worst));
      }
    }
    return rows;
  }
}
