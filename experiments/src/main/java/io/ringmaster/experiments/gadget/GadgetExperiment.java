package io.ringmaster.experiments.gadget;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.runs.Parallel;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * The claim of Yu, Tian, Ji, Wu, Rajan, Liu, "GADGET: Online Resource Optimization for Scheduling
 * Ring-All-Reduce Learning Jobs", INFOCOM 2022 (arXiv 2202.01158): more utility than schedulers
 * that do not pursue it. The paper's settings and numbers were not to hand, so {@link Draw} chooses
 * the workload and no row has a figure of the paper.
 *
 * <p>Beyond the baselines with fixed sizes: elastic ones, which tell what being elastic is worth
 * from what a better plan is worth; how near each slot comes to its bound; what it costs to reserve
 * bandwidth instead of sharing links; and what it gains to weigh restarts.
 *
 * <p>GADGET runs once for each goal. The others pursue none: they run once, valued by every goal.
 */
public final class GadgetExperiment implements Experiment {
  private static final int[][] SIZES = {
    {20, 10}, {50, 10}, {50, 20}, {100, 20}, {160, 20}, {160, 40}
  };
  private static final double[] LOADS = {0.5, 1, 2};
  private static final int HORIZON = 100;
  private static final int[] OTHER_HORIZONS = {50, 200};
  private static final int JOBS = 100;
  private static final int SERVERS = 20;
  private static final double RESTART_SECONDS = 30;
  private static final List<String> WEIGHS = List.of("0", "1");

  private static final Map<String, String> SLOT = Map.of("slot", "" + Cell.SLOT_SECONDS);

  static final List<String> FIXED = List.of("fifo", "drf", "las");
  static final List<String> ELASTIC = List.of("fifo-elastic", "las-elastic", "optimus");

  private final List<Case> cases;

  public GadgetExperiment() {
    this(_ -> true);
  }

  /** Some of its cells alone. */
  GadgetExperiment(Predicate<Cell> chosen) {
    this.cases = cases().stream().filter(c -> chosen.test(c.cell())).toList();
  }

  @Override
  public String name() {
    return Case.GADGET;
  }

  @Override
  public String summary() {
    return "Elastic jobs that arrive over time, in slots: utility of GADGET and of baselines with"
        + " fixed and with elastic sizes.";
  }

  @Override
  public String source() {
    return "Yu, Tian, Ji, Wu, Rajan, Liu, INFOCOM 2022 (arXiv 2202.01158); settings are chosen, the"
        + " paper's numbers were not to hand";
  }

  @Override
  public long steps(int draws) {
    return (long) draws * cases.size();
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    List<Cell> reserved = new ArrayList<>(grid());
    for (int horizon : OTHER_HORIZONS) {
      reserved.add(Cell.of(JOBS, SERVERS, 1, horizon));
    }
    for (Cell cell : reserved) {
      addGadget(cases, cell, Map.of());
      cases.addAll(baselines(cell));
    }
    for (double load : LOADS) {
      Cell cell = Cell.of(JOBS, SERVERS, load, HORIZON).sharingLinks();
      addGadget(cases, cell, Map.of());
      cases.addAll(elastic(cell));
    }
    for (String weigh : WEIGHS) {
      Cell cell = Cell.of(JOBS, SERVERS, 1, HORIZON).withRestarts(RESTART_SECONDS);
      addGadget(cases, cell, Map.of(Case.WEIGH, weigh));
    }
    return cases;
  }

  /** All sizes and loads, with reserved bandwidth and free moves. */
  public static List<Cell> grid() {
    List<Cell> cells = new ArrayList<>();
    for (int[] size : SIZES) {
      for (double load : LOADS) {
        cells.add(Cell.of(size[0], size[1], load, HORIZON));
      }
    }
    return cells;
  }

  private static void addGadget(List<Case> cases, Cell cell, Map<String, String> more) {
    Goal.ALL.forEach(goal -> cases.add(pursuing(goal, cell, Case.GADGET, more)));
  }

  /** A policy that is told what schedules are valued by. */
  public static Case pursuing(Goal goal, Cell cell, String policy, Map<String, String> more) {
    Map<String, String> given = new HashMap<>(SLOT);
    given.putAll(goal.settings());
    given.putAll(more);
    return new Case(cell, policy, true, given, List.of(goal));
  }

  /** Those that pursue no goal. */
  public static List<Case> baselines(Cell cell) {
    List<Case> cases = new ArrayList<>();
    FIXED.forEach(policy -> cases.add(new Case(cell, policy, false, Map.of(), Goal.ALL)));
    cases.addAll(elastic(cell));
    return cases;
  }

  private static List<Case> elastic(Cell cell) {
    return ELASTIC.stream().map(policy -> new Case(cell, policy, true, SLOT, Goal.ALL)).toList();
  }

  @Override
  public Results run(int draws, int threads, LongConsumer done) {
    int n = cases.size();
    List<Case.Outcome> outcomes =
        Parallel.map(draws * n, threads, done, i -> cases.get(i % n).run(i / n + 1));
    Figures figures = new Figures(cases, outcomes);
    List<Row> rows = new ArrayList<>();
    for (Cell cell : cases.stream().map(Case::cell).distinct().toList()) {
      for (Goal goal : Goal.ALL) {
        figures
            .chosen(c -> c.cell().equals(cell) && c.goals().contains(goal))
            .forEach(c -> addRows(rows, figures, c, goal));
      }
    }
    return new Results(rows, new GadgetPlots(figures).all());
  }

  private static void addRows(List<Row> rows, Figures figures, Case each, Goal goal) {
    Map<String, Object> setting = each.setting(goal);
    add(rows, setting, each, "utility", figures.over(each, o -> each.utility(o, goal)));
    add(rows, setting, each, "finished_share", figures.over(each, Case.Outcome::finishedShare));
    add(rows, setting, each, "completion_s", figures.over(each, Case.Outcome::completionSeconds));
    if (each.policy().equals(Case.GADGET)) {
      add(rows, setting, each, "bound_ratio", figures.over(each, o -> o.slots().mean()));
    }
  }

  private static void add(
      List<Row> rows, Map<String, Object> setting, Case each, String metric, Statistics figure) {
    rows.add(new Row(setting, each.policy(), metric, figure, null));
  }
}
