package io.ringmaster.experiments.adasrsf;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.adasrsf.AdaSrsfExperiment.NamedGate;
import io.ringmaster.policy.adasrsf.Gate;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** The plots of the experiment. Ratios are of the same draw, then averaged. */
record AdaSrsfPlots(AdaSrsfExperiment experiment, Outcomes<AdaSrsfCell, Outcome> outcomes) {
  private static final List<Integer> KAPPAS = AdaSrsfExperiment.KAPPAS;
  private static final NamedGate ADADUAL = AdaSrsfExperiment.ADADUAL;
  private static final String MEAN_JCT = "mean JCT, s";
  private static final String RATIO = "mean JCT over AdaDUAL's";

  List<Plot> all() {
    return List.of(
        gates(),
        gateRatios(),
        placements("ada-srsf-kappa", "Mean JCT by placement, AdaDUAL", MEAN_JCT, this::jct),
        placementRatios(),
        gatesByKappa(),
        placements(
            "ada-srsf-kappa-p95",
            "JCT of the slowest twentieth by placement, AdaDUAL",
            "95th percentile of JCT, s",
            cell -> outcomes.over(cell, Outcome::p95JctSeconds)),
        placements(
            "ada-srsf-kappa-makespan",
            "Makespan by placement, AdaDUAL",
            "makespan, s",
            cell -> outcomes.over(cell, Outcome::makespanSeconds)),
        loads());
  }

  private Statistics jct(AdaSrsfCell cell) {
    return outcomes.over(cell, Outcome::meanJctSeconds);
  }

  private Statistics overBase(AdaSrsfCell cell) {
    return overAdaDual(cell, experiment.base(ADADUAL));
  }

  private Statistics overAdaDual(AdaSrsfCell cell, AdaSrsfCell adaDual) {
    return outcomes.ratio(cell, adaDual, Outcome::meanJctSeconds);
  }

  /** The same figure at all places. */
  private static Plot.Series level(String name, Statistics figure, List<Integer> places) {
    return new Plot.Series(name, places.stream().map(x -> Plot.Point.of(x, figure)).toList());
  }

  /** Gates that allow a fixed number of transfers, by that number. */
  private Plot.Series counted(String name, Function<AdaSrsfCell, Statistics> figure) {
    List<Plot.Point> points = new ArrayList<>();
    for (NamedGate gate : AdaSrsfExperiment.GATES) {
      if (gate.gate() instanceof Gate.AtMost(int most)) {
        points.add(Plot.Point.of(most, figure.apply(experiment.base(gate))));
      }
    }
    return new Plot.Series(name, points);
  }

  private static List<Integer> places(Plot.Series series) {
    return series.points().stream().map(p -> (int) p.x()).toList();
  }

  private Plot gates() {
    Plot.Series counted = counted("SRSF(n)", this::jct);
    return new Plot(
        "ada-srsf-gate",
        "Mean JCT by gate, LWF-1",
        "n of SRSF(n): transfers allowed on a node",
        MEAN_JCT,
        List.of(counted, level("AdaDUAL", jct(experiment.base(ADADUAL)), places(counted))));
  }

  private static double paper(String policy) {
    return Objects.requireNonNull(AdaSrsfExperiment.PAPER_RATIOS.get(policy));
  }

  /** The abstract's gains by the gate. */
  private Plot gateRatios() {
    String name = "SRSF(n)";
    List<Plot.Point> paper =
        List.of(new Plot.Point(1, paper("srsf-1")), new Plot.Point(2, paper("srsf-2")));
    return new Plot(
        "ada-srsf-gate-ratio",
        "Mean JCT over that of AdaDUAL by gate, LWF-1",
        "n of SRSF(n): transfers allowed on a node",
        RATIO,
        List.of(counted(name, this::overBase), new Plot.Series(name, paper, true)));
  }

  private Plot placements(
      String name, String title, String vertical, Function<AdaSrsfCell, Statistics> figure) {
    return new Plot(name, title, "kappa", vertical, placements(figure));
  }

  private List<Plot.Series> placements(Function<AdaSrsfCell, Statistics> figure) {
    return List.of(
        byKappa("LWF-kappa", ADADUAL, figure),
        level("first fit", figure.apply(experiment.cell(new Placing.FirstFit(), ADADUAL)), KAPPAS),
        level("random", figure.apply(experiment.cell(new Placing.Random(), ADADUAL)), KAPPAS));
  }

  private Plot.Series byKappa(
      String name, NamedGate gate, Function<AdaSrsfCell, Statistics> figure) {
    List<Plot.Point> points = new ArrayList<>();
    for (int kappa : KAPPAS) {
      points.add(
          Plot.Point.of(kappa, figure.apply(experiment.cell(new Placing.LeastWork(kappa), gate))));
    }
    return new Plot.Series(name, points);
  }

  /** The abstract's gain by placement. */
  private Plot placementRatios() {
    List<Plot.Series> series = new ArrayList<>(placements(this::overBase));
    Statistics paper = new Statistics(paper("first-fit"), 0);
    series.add(new Plot.Series("first fit", level("", paper, KAPPAS).points(), true));
    return new Plot(
        "ada-srsf-kappa-ratio",
        "Mean JCT over that of LWF-1 by placement, AdaDUAL",
        "kappa",
        "mean JCT over LWF-1's",
        series);
  }

  private Plot gatesByKappa() {
    List<Plot.Series> series = new ArrayList<>();
    for (NamedGate gate : AdaSrsfExperiment.GATES) {
      series.add(byKappa(name(gate), gate, this::jct));
    }
    return new Plot(
        "ada-srsf-gates-by-kappa", "Mean JCT of all gates by kappa", "kappa", MEAN_JCT, series);
  }

  private static String name(NamedGate gate) {
    return gate.adaptive() ? "AdaDUAL" : "SRSF(" + gate.name() + ")";
  }

  private Plot loads() {
    List<AdaSrsfCell> spans = new ArrayList<>(experiment.variations());
    spans.removeIf(cell -> cell.scale() != experiment.scale);
    spans.add(1, experiment.base(ADADUAL));
    List<Plot.Series> series = new ArrayList<>();
    for (NamedGate gate : AdaSrsfExperiment.GATES) {
      if (!gate.adaptive()) {
        List<Plot.Point> points =
            spans.stream()
                .map(ada -> Plot.Point.of(ada.arrivalSeconds(), overAdaDual(ada.with(gate), ada)))
                .toList();
        series.add(new Plot.Series(name(gate), points));
      }
    }
    return new Plot(
        "ada-srsf-load", "Mean JCT over that of AdaDUAL, LWF-1", "arrivals over, s", RATIO, series);
  }
}
