package io.ringmaster.experiments.gadget;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The claim of Yu, Tian, Ji, Wu, Rajan, Liu, "GADGET: Online Resource Optimization for Scheduling
 * Ring-All-Reduce Learning Jobs", INFOCOM 2022 (arXiv 2202.01158): more utility than schedulers
 * that do not pursue it. The paper's settings and numbers were not to hand, so {@link
 * GadgetWorkload} chooses the workload and no row has a figure of the paper.
 *
 * <p>Beyond the baselines with fixed sizes: elastic ones, which tell what being elastic is worth
 * from what a better plan is worth; how near each slot comes to its bound; what it costs to reserve
 * bandwidth instead of sharing links; and what it gains to weigh restarts.
 *
 * <p>GADGET runs once for each goal. The others pursue none: they run once, valued by every goal.
 */
public final class GadgetExperiment extends GridExperiment<GadgetCell, GadgetCell.Outcome> {
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

  private static final Map<String, String> SLOT = Map.of("slot", "" + GadgetSetting.SLOT_SECONDS);

  static final List<String> FIXED = List.of("fifo", "drf", "las");
  static final List<String> ELASTIC = List.of("fifo-elastic", "las-elastic", "optimus");

  private final List<GadgetCell> cells;

  public GadgetExperiment() {
    this(_ -> true);
  }

  /** Some of its settings alone. */
  GadgetExperiment(Predicate<GadgetSetting> chosen) {
    super(
        GadgetCell.GADGET,
        "Elastic jobs that arrive over time, in slots: utility of GADGET and of baselines with"
            + " fixed and with elastic sizes.",
        "Yu, Tian, Ji, Wu, Rajan, Liu, INFOCOM 2022 (arXiv 2202.01158); settings are chosen, the"
            + " paper's numbers were not to hand");
    this.cells = cells().stream().filter(c -> chosen.test(c.setting())).toList();
  }

  @Override
  protected Grid<GadgetCell, GadgetCell.Outcome> grid() {
    return new Grid<>(cells, GadgetCell::run);
  }

  private static List<GadgetCell> cells() {
    List<GadgetCell> cells = new ArrayList<>();
    List<GadgetSetting> reserved = new ArrayList<>(reserved());
    for (int horizon : OTHER_HORIZONS) {
      reserved.add(GadgetSetting.of(JOBS, SERVERS, 1, horizon));
    }
    for (GadgetSetting setting : reserved) {
      addGadget(cells, setting, Map.of());
      cells.addAll(baselines(setting));
    }
    for (double load : LOADS) {
      GadgetSetting setting = GadgetSetting.of(JOBS, SERVERS, load, HORIZON).sharingLinks();
      addGadget(cells, setting, Map.of());
      cells.addAll(elastic(setting));
    }
    for (String weigh : WEIGHS) {
      GadgetSetting setting =
          GadgetSetting.of(JOBS, SERVERS, 1, HORIZON).withRestarts(RESTART_SECONDS);
      addGadget(cells, setting, Map.of(GadgetCell.WEIGH, weigh));
    }
    return cells;
  }

  /** All sizes and loads, with reserved bandwidth and free moves. */
  public static List<GadgetSetting> reserved() {
    List<GadgetSetting> settings = new ArrayList<>();
    for (int[] size : SIZES) {
      for (double load : LOADS) {
        settings.add(GadgetSetting.of(size[0], size[1], load, HORIZON));
      }
    }
    return settings;
  }

  private static void addGadget(
      List<GadgetCell> cells, GadgetSetting setting, Map<String, String> more) {
    Goal.ALL.forEach(goal -> cells.add(pursuing(goal, setting, GadgetCell.GADGET, more)));
  }

  /** A policy that is told what schedules are valued by. */
  public static GadgetCell pursuing(
      Goal goal, GadgetSetting setting, String policy, Map<String, String> more) {
    Map<String, String> given = new HashMap<>(SLOT);
    given.putAll(goal.settings());
    given.putAll(more);
    return new GadgetCell(setting, policy, true, given, List.of(goal));
  }

  /** Those that pursue no goal. */
  public static List<GadgetCell> baselines(GadgetSetting setting) {
    List<GadgetCell> cells = new ArrayList<>();
    FIXED.forEach(policy -> cells.add(new GadgetCell(setting, policy, false, Map.of(), Goal.ALL)));
    cells.addAll(elastic(setting));
    return cells;
  }

  private static List<GadgetCell> elastic(GadgetSetting setting) {
    return ELASTIC.stream()
        .map(policy -> new GadgetCell(setting, policy, true, SLOT, Goal.ALL))
        .toList();
  }

  @Override
  protected Results results(Outcomes<GadgetCell, GadgetCell.Outcome> outcomes, int draws) {
    List<Row> rows = new ArrayList<>();
    for (GadgetSetting setting : cells.stream().map(GadgetCell::setting).distinct().toList()) {
      for (Goal goal : Goal.ALL) {
        outcomes
            .cells(c -> c.setting().equals(setting) && c.goals().contains(goal))
            .forEach(c -> addRows(rows, outcomes, c, goal));
      }
    }
    return new Results(rows, new GadgetPlots(outcomes).all());
  }

  private static void addRows(
      List<Row> rows,
      Outcomes<GadgetCell, GadgetCell.Outcome> outcomes,
      GadgetCell each,
      Goal goal) {
    Map<String, Object> setting = each.named(goal);
    add(rows, setting, each, "utility", outcomes.over(each, o -> each.utility(o, goal)));
    add(rows, setting, each, "finished_share", outcomes.over(each, o -> o.finishedShare()));
    add(rows, setting, each, "completion_s", outcomes.over(each, o -> o.completionSeconds()));
    if (each.policy().equals(GadgetCell.GADGET)) {
      add(rows, setting, each, "bound_ratio", outcomes.over(each, o -> o.slots().mean()));
    }
  }

  private static void add(
      List<Row> rows,
      Map<String, Object> setting,
      GadgetCell each,
      String metric,
      Statistics figure) {
    rows.add(new Row(setting, each.policy(), each.lengths(), metric, figure));
  }
}
