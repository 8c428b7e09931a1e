package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.adasrsf.Workload.Shape;
import io.ringmaster.policy.adasrsf.Gate;
import io.ringmaster.runs.Parallel;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
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
public final class AdaSrsfExperiment implements Experiment {
  private static final LinkCost COST = LinkCost.TEN_GIGABIT_ETHERNET;
  private static final String ADA = "ada-srsf";
  static final List<Integer> KAPPAS = List.of(1, 2, 4, 8, 16, 32);
  private static final int ARRIVAL_SECONDS = 12;
  private static final int[] OTHER_ARRIVAL_SECONDS = {3, 30, 60, 120};
  private static final int OTHER_SCALE = 10;
  private static final int MILLIS_PER_SECOND = 1000;

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
    this.scale = scale;
  }

  /** What is run on each draw. */
  record Cell(Placing placing, NamedGate gate, int scale, int arrivalSeconds) {
    Cell with(NamedGate other) {
      return new Cell(placing, other, scale, arrivalSeconds);
    }

    String policy() {
      return switch (placing) {
        case Placing.FirstFit() -> "first-fit";
        case Placing.Random() -> "random";
        case Placing.LeastWork _ -> gate.adaptive() ? ADA : "srsf-" + gate.name;
      };
    }

    Map<String, Object> setting() {
      Map<String, Object> setting = new LinkedHashMap<>();
      if (placing instanceof Placing.LeastWork(int kappa)) {
        setting.put("kappa", kappa);
      } else {
        setting.put("placement", policy());
      }
      setting.put("gate", gate.name);
      if (scale != 1) {
        setting.put("scale", scale);
      }
      if (arrivalSeconds != ARRIVAL_SECONDS * scale) {
        setting.put("arrivals_s", arrivalSeconds);
      }
      return Collections.unmodifiableMap(setting);
    }

    Outcome run(long seed) {
      Shape shape = Shape.scaled(scale).over(arrivalSeconds * MILLIS_PER_SECOND);
      Workload workload = Workload.draw(seed, shape);
      TaskSimulation simulation =
          new TaskSimulation(workload, Machines.PAPER, COST, placing, gate.gate, seed);
      return Outcome.of(workload, simulation.run());
    }
  }

  @Override
  public String name() {
    return ADA;
  }

  @Override
  public String summary() {
    return "Gates on shared links and placements on shared GPUs, task by task.";
  }

  @Override
  public String source() {
    return "Wang, Shi, Wang, Chu, Communication Contention Aware Scheduling of Multiple Deep"
        + " Learning Training Jobs, arXiv 2002.10105";
  }

  private static List<Placing> placings() {
    List<Placing> all = new ArrayList<>();
    KAPPAS.forEach(kappa -> all.add(new Placing.LeastWork(kappa)));
    all.add(new Placing.FirstFit());
    all.add(new Placing.Random());
    return all;
  }

  Cell cell(Placing placing, NamedGate gate) {
    return new Cell(placing, gate, scale, ARRIVAL_SECONDS * scale);
  }

  Cell base(NamedGate gate) {
    return cell(new Placing.LeastWork(1), gate);
  }

  /** Ada-SRSF with other loads and another scale. */
  List<Cell> variations() {
    List<Cell> all = new ArrayList<>();
    for (int seconds : OTHER_ARRIVAL_SECONDS) {
      all.add(new Cell(new Placing.LeastWork(1), ADADUAL, scale, seconds * scale));
    }
    all.add(new AdaSrsfExperiment(scale * OTHER_SCALE).base(ADADUAL));
    return all;
  }

  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Placing placing : placings()) {
      GATES.forEach(gate -> cells.add(cell(placing, gate)));
    }
    for (Cell variation : variations()) {
      GATES.forEach(gate -> cells.add(variation.with(gate)));
    }
    return cells;
  }

  @Override
  public long steps(int draws) {
    return (long) draws * cells().stream().mapToInt(Cell::scale).sum();
  }

  @Override
  public Results run(int draws, int threads, LongConsumer done) {
    Map<Cell, List<Outcome>> outcomes = simulate(draws, threads, done);
    return new Results(rows(outcomes), new AdaSrsfPlots(this, outcomes).all());
  }

  private Map<Cell, List<Outcome>> simulate(int draws, int threads, LongConsumer done) {
    List<Cell> cells = cells();
    AtomicLong steps = new AtomicLong();
    List<Outcome> all =
        Parallel.map(
            cells.size() * draws,
            threads,
            _ -> {},
            i -> {
              Cell cell = cells.get(i / draws);
              Outcome outcome = cell.run(i % draws + 1);
              done.accept(steps.addAndGet(cell.scale));
              return outcome;
            });
    Map<Cell, List<Outcome>> outcomes = new LinkedHashMap<>();
    for (int c = 0; c < cells.size(); c++) {
      outcomes.put(cells.get(c), all.subList(c * draws, (c + 1) * draws));
    }
    return outcomes;
  }

  private List<Row> rows(Map<Cell, List<Outcome>> outcomes) {
    List<Row> rows = new ArrayList<>();
    List<Cell> figures = new ArrayList<>();
    for (Placing placing : placings()) {
      for (NamedGate gate : GATES) {
        Cell cell = cell(placing, gate);
        rows.add(row(outcomes, cell, "jct_s", Outcome::meanJctSeconds));
        if (gate.adaptive() || cell.equals(base(gate))) {
          figures.add(cell);
        }
      }
    }
    for (Cell cell : figures) {
      rows.add(row(outcomes, cell, "jct_p95_s", Outcome::p95JctSeconds));
      rows.add(row(outcomes, cell, "makespan_s", Outcome::makespanSeconds));
    }
    figures.remove(base(ADADUAL));
    for (Cell cell : figures) {
      rows.add(ratio(outcomes, cell, base(ADADUAL), PAPER_RATIOS.get(cell.policy())));
    }
    for (Cell ada : variations()) {
      for (NamedGate gate : GATES) {
        if (!gate.adaptive()) {
          rows.add(ratio(outcomes, ada.with(gate), ada, null));
        }
      }
    }
    return rows;
  }

  private static Row row(
      Map<Cell, List<Outcome>> outcomes,
      Cell cell,
      String metric,
      ToDoubleFunction<Outcome> figure) {
    return new Row(cell.setting(), cell.policy(), metric, statistics(outcomes, cell, figure), null);
  }

  private static Row ratio(
      Map<Cell, List<Outcome>> outcomes, Cell cell, Cell over, @Nullable Double paper) {
    return new Row(cell.setting(), cell.policy(), "jct_ratio", ratios(outcomes, cell, over), paper);
  }

  private static List<Outcome> of(Map<Cell, List<Outcome>> outcomes, Cell cell) {
    List<Outcome> found = outcomes.get(cell);
    if (found == null) {
      throw new IllegalStateException("never run: " + cell);
    }
    return found;
  }

  static Statistics statistics(
      Map<Cell, List<Outcome>> outcomes, Cell cell, ToDoubleFunction<Outcome> figure) {
    return Statistics.of(of(outcomes, cell).stream().mapToDouble(figure).toArray());
  }

  /** Mean JCT of one over that of another, draw by draw. */
  static Statistics ratios(Map<Cell, List<Outcome>> outcomes, Cell cell, Cell over) {
    List<Outcome> above = of(outcomes, cell);
    List<Outcome> below = of(outcomes, over);
    double[] ratios = new double[above.size()];
    for (int draw = 0; draw < ratios.length; draw++) {
      ratios[draw] = above.get(draw).meanJctSeconds() / below.get(draw).meanJctSeconds();
    }
    return Statistics.of(ratios);
  }
}
