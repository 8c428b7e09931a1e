package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Row;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.adasrsf.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The simulations of Wang, Shi, Wang, Chu, arXiv 2002.10105: 160 jobs on 64 shared GPUs and 10 Gbps
 * Ethernet, under each gate and each placement. Every run of a draw has the same jobs, and every
 * run is checked by {@link Audit}.
 *
 * <p>The paper's abstract gives ratios: those are the rows of {@code jct_ratio}, the mean over
 * draws of a run's mean JCT over that of Ada-SRSF with kappa = 1 on the same jobs. The workload is
 * the one of the authors' public simulator, a hundredth of the paper's. Rows with other spans of
 * arrivals, or ten times as long, say what the ratios of the gates depend on.
 */
public final class AdaSrsfExperiment extends GridExperiment<AdaSrsfCell, Outcome> {
  static final LinkCost COST = LinkCost.TEN_GIGABIT_ETHERNET;
  static final String ADA = "ada-srsf";

  /** All cells run the task of the job with the least remaining time first. */
  private static final KnownLengths LENGTHS = KnownLengths.KNOWN;

  static final List<Integer> KAPPAS = List.of(1, 2, 4, 8, 16, 32);
  static final int ARRIVAL_SECONDS = 12;
  private static final int[] OTHER_ARRIVAL_SECONDS = {3, 30, 60, 120};
  private static final int OTHER_SCALE = 10;

  /** JCT over that of Ada-SRSF: the abstract has 20.1 % and 36.7 % less, and 1.59 times. */
  static final Map<String, Double> PAPER_RATIOS =
      Map.of("srsf-1", 1 / (1 - 0.201), "srsf-2", 1 / (1 - 0.367), "first-fit", 1.59);

  /** A gate and its name in {@code --set gate=} of the policy. */
  record NamedGate(String name, Gate gate) {
    boolean adaptive() {
      return name.equals("adadual");
    }
  }

  static final List<NamedGate> GATES =
      List.of(
          new NamedGate("1", new Gate.AtMost(1)),
          new NamedGate("2", new Gate.AtMost(2)),
          new NamedGate("3", new Gate.AtMost(3)),
          new NamedGate("adadual", COST.adaDual()));

  static final NamedGate ADADUAL = GATES.getLast();

  final int scale;

  /** With the workload of the authors' public simulator. */
  public AdaSrsfExperiment() {
    this(1);
  }

  /** With so many times its iterations, submitted over as many times the time; 100: the paper's. */
  public AdaSrsfExperiment(int scale) {
    super(
        ADA,
        "Gates on shared links and placements on shared GPUs, task by task.",
        "Wang, Shi, Wang, Chu, Communication Contention Aware Scheduling of Multiple Deep"
            + " Learning Training Jobs, arXiv 2002.10105");
    this.scale = scale;
  }

  private static List<Placing> placings() {
    List<Placing> all = new ArrayList<>();
    KAPPAS.forEach(kappa -> all.add(new Placing.LeastWork(kappa)));
    all.add(new Placing.FirstFit());
    all.add(new Placing.Random());
    return all;
  }

  AdaSrsfCell cell(Placing placing, NamedGate gate) {
    return new AdaSrsfCell(placing, gate, scale, ARRIVAL_SECONDS * scale);
  }

  AdaSrsfCell base(NamedGate gate) {
    return cell(new Placing.LeastWork(1), gate);
  }

  /** Ada-SRSF with other loads and another scale. */
  List<AdaSrsfCell> variations() {
    List<AdaSrsfCell> all = new ArrayList<>();
    for (int seconds : OTHER_ARRIVAL_SECONDS) {
      all.add(new AdaSrsfCell(new Placing.LeastWork(1), ADADUAL, scale, seconds * scale));
    }
    all.add(new AdaSrsfExperiment(scale * OTHER_SCALE).base(ADADUAL));
    return all;
  }

  /** Runs of more iterations are as many more steps. */
  @Override
  protected Grid<AdaSrsfCell, Outcome> grid() {
    List<AdaSrsfCell> cells = new ArrayList<>();
    for (Placing placing : placings()) {
      GATES.forEach(gate -> cells.add(cell(placing, gate)));
    }
    for (AdaSrsfCell variation : variations()) {
      GATES.forEach(gate -> cells.add(variation.with(gate)));
    }
    return new Grid<>(cells, AdaSrsfCell::run).counting(AdaSrsfCell::scale);
  }

  @Override
  protected Results results(Outcomes<AdaSrsfCell, Outcome> outcomes, int draws) {
    return new Results(rows(outcomes), new AdaSrsfPlots(this, outcomes).all());
  }

  private List<Row> rows(Outcomes<AdaSrsfCell, Outcome> outcomes) {
    List<Row> rows = new ArrayList<>();
    List<AdaSrsfCell> figures = new ArrayList<>();
    for (Placing placing : placings()) {
      for (NamedGate gate : GATES) {
        AdaSrsfCell cell = cell(placing, gate);
        rows.add(row(outcomes, cell, "jct_s", Outcome::meanJctSeconds));
        if (gate.adaptive() || cell.equals(base(gate))) {
          figures.add(cell);
        }
      }
    }
    for (AdaSrsfCell cell : figures) {
      rows.add(row(outcomes, cell, "jct_p95_s", Outcome::p95JctSeconds));
      rows.add(row(outcomes, cell, "makespan_s", Outcome::makespanSeconds));
    }
    figures.remove(base(ADADUAL));
    for (AdaSrsfCell cell : figures) {
      rows.add(ratio(outcomes, cell, base(ADADUAL), PAPER_RATIOS.get(cell.policy())));
    }
    for (AdaSrsfCell ada : variations()) {
      for (NamedGate gate : GATES) {
        if (!gate.adaptive()) {
          rows.add(ratio(outcomes, ada.with(gate), ada, null));
        }
      }
    }
    return rows;
  }

  private static Row row(
      Outcomes<AdaSrsfCell, Outcome> outcomes,
      AdaSrsfCell cell,
      String metric,
      ToDoubleFunction<Outcome> figure) {
    return new Row(cell.setting(), cell.policy(), LENGTHS, metric, outcomes.over(cell, figure));
  }

  private static Row ratio(
      Outcomes<AdaSrsfCell, Outcome> outcomes,
      AdaSrsfCell cell,
      AdaSrsfCell over,
      @Nullable Double paper) {
    return new Row(
        cell.setting(),
        cell.policy(),
        LENGTHS,
        "jct_ratio",
        outcomes.ratio(cell, over, Outcome::meanJctSeconds),
        paper);
  }
}
