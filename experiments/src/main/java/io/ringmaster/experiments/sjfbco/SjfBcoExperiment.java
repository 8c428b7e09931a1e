package io.ringmaster.experiments.sjfbco;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures 4 to 7 of Yu, Ji, Rajan, Liu, "On Scheduling Ring-All-Reduce Learning Jobs in
 * Multi-Tenant GPU Clusters with Communication Contention", MobiHoc 2022 (arXiv 2207.07817):
 * makespan by policy, by servers, by kappa and by lambda. Beyond the paper: two readings of what a
 * job waits for, the cap on extra time varied, longest job first, and a lower bound.
 *
 * <p>Reading "literal": a job takes idle GPUs. Reading "planned": GPUs are fixed beforehand,
 * limited by theta alone.
 */
public final class SjfBcoExperiment extends GridExperiment<SjfBcoCell, SjfBcoCell.Outcome> {
  public static final List<Integer> SERVERS = List.of(10, 15, 20);
  public static final List<Double> CAPS = List.of(0.15, 0.30, 0.60);
  private static final double[] MORE_CAPS = {0, 0.05, 0.10, 0.20, 0.40, 0.80, 1.20, 2.00};
  private static final double PAPER_CAP = 0.15;
  private static final int[] KAPPAS = {1, 2, 4, 8, 10, 16, 32};
  private static final int[] LAMBDAS = {1, 2, 4, 8};
  private static final String LITERAL = "literal";
  private static final String PLANNED = "planned";
  private static final String SJF_BCO = "sjf-bco";
  private static final int HORIZON = 1500;
  private static final int SHORT_HORIZON = 1200;
  private static final List<String> PLANNING =
      List.of(SJF_BCO, "list-scheduling", "first-fit", "random");

  /** Read off figure 5 of the paper: makespan by policy and servers. */
  private static final Map<String, double[]> PAPER_MAKESPAN =
      Map.of(
          SJF_BCO,
          new double[] {940, 720, 535},
          "list-scheduling",
          new double[] {1160, 870, 595},
          "first-fit",
          new double[] {1400, 960, 720},
          "random",
          new double[] {1490, 1260, 1125});

  /** Mean completion at 20 servers. */
  private static final Map<String, Double> PAPER_COMPLETION =
      Map.of(SJF_BCO, 180.0, "list-scheduling", 185.0, "first-fit", 450.0, "random", 260.0);

  private static final double[] PAPER_KAPPA = {627, 564, 541, 535, 700, 750, 737};
  private static final double[] PAPER_LAMBDA = {1040, 880, 730, 540};

  private final List<SjfBcoCell> cells = cells();

  public SjfBcoExperiment() {
    super(
        SJF_BCO,
        "A batch of 160 jobs on 10 to 20 servers: makespan of SJF-BCO, its baselines and more.",
        "Yu, Ji, Rajan, Liu, MobiHoc 2022 (arXiv 2207.07817), section 7");
  }

  @Override
  protected Grid<SjfBcoCell, SjfBcoCell.Outcome> grid() {
    return new Grid<>(cells, SjfBcoCell::run);
  }

  private static List<SjfBcoCell> cells() {
    List<SjfBcoCell> cells = new ArrayList<>();
    for (double cap : CAPS) {
      for (int servers : SERVERS) {
        addPolicies(cells, servers, cap);
      }
    }
    for (double cap : MORE_CAPS) {
      addPolicies(cells, 20, cap);
    }
    for (String reading : List.of(LITERAL, PLANNED)) {
      for (int i = 0; i < KAPPAS.length; i++) {
        cells.add(varied("kappa", KAPPAS[i], reading, PAPER_KAPPA[i], Map.of()));
      }
      for (int i = 0; i < LAMBDAS.length; i++) {
        cells.add(varied("lambda", LAMBDAS[i], reading, PAPER_LAMBDA[i], Map.of("kappa", "1")));
      }
    }
    return cells;
  }

  private static void addPolicies(List<SjfBcoCell> cells, int servers, double cap) {
    boolean known = cap == PAPER_CAP;
    for (String reading : List.of(LITERAL, PLANNED)) {
      for (String policy : PLANNING) {
        cells.add(
            new SjfBcoCell(
                setting(servers, reading, cap),
                policy,
                given(policy, reading, HORIZON),
                servers,
                cap,
                known ? paperMakespan(policy, servers) : null,
                known && servers == 20 ? PAPER_COMPLETION.get(policy) : null));
      }
    }
    // What does not plan has no readings.
    for (String policy : List.of("longest-first", SjfBcoCell.RESERVING, SjfBcoCell.BOUND)) {
      cells.add(literal(policy, servers, cap));
    }
  }

  /** A policy as this experiment has it, in the literal reading if it plans. */
  public static SjfBcoCell literal(String policy, int servers, double cap) {
    return new SjfBcoCell(
        setting(servers, LITERAL, cap),
        policy,
        given(policy, LITERAL, HORIZON),
        servers,
        cap,
        null,
        null);
  }

  private static @Nullable Double paperMakespan(String policy, int servers) {
    double[] known = PAPER_MAKESPAN.getOrDefault(policy, new double[0]);
    for (int i = 0; i < known.length; i++) {
      if (SERVERS.get(i) == servers) {
        return known[i];
      }
    }
    return null;
  }

  private static SjfBcoCell varied(
      String name, int value, String reading, double paper, Map<String, String> more) {
    Map<String, String> given = new LinkedHashMap<>(given(SJF_BCO, reading, SHORT_HORIZON));
    given.putAll(more);
    given.put(name, Integer.toString(value));
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put(name, value);
    setting.put("reading", reading);
    return new SjfBcoCell(setting, SJF_BCO, given, 20, PAPER_CAP, paper, null);
  }

  private static Map<String, Object> setting(int servers, String reading, double cap) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("servers", servers);
    setting.put("reading", reading);
    setting.put("cap", cap);
    return setting;
  }

  private static Map<String, String> given(String policy, String reading, int horizon) {
    if (policy.equals(SjfBcoCell.RESERVING)) {
      return Map.of("slot", "10", "solver", "greedy");
    }
    if (!PLANNING.contains(policy)) {
      return Map.of();
    }
    Map<String, String> given = new LinkedHashMap<>();
    given.put("gpus", reading.equals(PLANNED) ? "fixed" : "idle");
    if (!policy.equals("random")) {
      given.put("horizon", Integer.toString(horizon));
    }
    return given;
  }

  @Override
  protected Results results(Outcomes<SjfBcoCell, SjfBcoCell.Outcome> outcomes, int draws) {
    List<Row> rows = new ArrayList<>();
    for (SjfBcoCell each : cells) {
      rows.add(
          new Row(
              each.setting(),
              each.policy(),
              each.lengths(),
              "makespan_slots",
              outcomes.over(each, SjfBcoCell.Outcome::makespan),
              each.paperMakespan()));
      rows.add(
          new Row(
              each.setting(),
              each.policy(),
              each.lengths(),
              "completion_slots",
              outcomes.over(each, SjfBcoCell.Outcome::completion),
              each.paperCompletion()));
    }
    return new Results(rows, new SjfBcoPlots(outcomes).all());
  }
}
