package io.ringmaster.experiments.sjfbco;

import io.ringmaster.experiments.Plot;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The figures of the experiment. Ratios are of the same draw, then averaged. */
final class SjfBcoPlots {
  private static final List<String> COMPARED =
      List.of("sjf-bco", "list-scheduling", "first-fit", "random", "longest-first");

  /** A figure of a run, and what the paper has for it. */
  private record Figure(
      ToDoubleFunction<Case.Outcome> of, Function<Case, @Nullable Double> paper) {}

  private static final Figure MAKESPAN = new Figure(Case.Outcome::makespan, Case::paperMakespan);
  private static final Figure COMPLETION =
      new Figure(Case.Outcome::completion, Case::paperCompletion);

  private final List<Case> cases;
  private final List<Case.Outcome> outcomes;

  SjfBcoPlots(List<Case> cases, List<Case.Outcome> outcomes) {
    this.cases = cases;
    this.outcomes = outcomes;
  }

  List<Plot> all() {
    return List.of(
        byServers("literal"),
        byServers("planned"),
        completion("literal"),
        completion("planned"),
        varied("kappa"),
        varied("lambda"),
        byCap(),
        bounds());
  }

  /** A policy at all numbers of servers, with the paper's cap on extra time. */
  private List<Case> byServers(String policy, String reading) {
    return chosen(c ->
        c.policy().equals(policy)
            && c.cap() == 0.15
            && reading.equals(c.setting().get("reading"))
            && c.setting().containsKey("servers"));
  }

  private Plot byServers(String reading) {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : COMPARED) {
      addWithPaper(series, policy, byServers(policy, reading), MAKESPAN);
    }
    return new Plot(
        "makespan-by-servers-" + reading,
        "Makespan by servers, reading: " + reading + ", extra time up to 15 %",
        "servers",
        "makespan, slots",
        series);
  }

  private Plot completion(String reading) {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : COMPARED) {
      addWithPaper(series, policy, byServers(policy, reading), COMPLETION);
    }
    return new Plot(
        "completion-by-servers-" + reading,
        "Mean completion by servers, reading: " + reading + ", extra time up to 15 %",
        "servers",
        "mean completion, slots",
        series);
  }

  /** What the paper does not have: GADGET on reserved bandwidth, and what nobody can beat. */
  private Plot bounds() {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : List.of("sjf-bco", "longest-first", Case.RESERVING, Case.BOUND)) {
      List<Case> chosen = byServers(policy, "literal");
      series.add(new Plot.Series(policy, points(chosen, Case::servers, MAKESPAN), false));
    }
    return new Plot(
        "makespan-over-bound",
        "SJF-BCO beside other policies and a lower bound, reading: literal",
        "servers",
        "makespan, slots",
        series);
  }

  private Plot varied(String name) {
    List<Plot.Series> series = new ArrayList<>();
    for (String reading : List.of("literal", "planned")) {
      List<Case> chosen =
          chosen(c -> c.setting().containsKey(name) && reading.equals(c.setting().get("reading")));
      ToDoubleFunction<Case> x = c -> Double.parseDouble("" + c.setting().get(name));
      series.add(new Plot.Series(reading, points(chosen, x, MAKESPAN), false));
      if (reading.equals("planned")) {
        series.add(new Plot.Series("paper", paper(chosen, x, MAKESPAN), true));
      }
    }
    return new Plot(
        "makespan-by-" + name,
        "SJF-BCO: makespan by " + name + ", 20 servers",
        name,
        "makespan, slots",
        series);
  }

  private Plot byCap() {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : COMPARED.subList(1, COMPARED.size())) {
      series.add(new Plot.Series(policy, ratios(policy, "literal"), false));
    }
    for (String policy : List.of("list-scheduling", "first-fit")) {
      series.add(new Plot.Series(policy + ", planned", ratios(policy, "planned"), false));
    }
    return new Plot(
        "makespan-by-cap",
        "When does contention awareness pay? 20 servers, reading literal unless said",
        "extra time that contention and overhead may cost, % of a job's time",
        "makespan over SJF-BCO's",
        series);
  }

  private List<Plot.Point> ratios(String policy, String reading) {
    List<Plot.Point> points = new ArrayList<>();
    List<Case> base = sweep("sjf-bco", reading);
    List<Case> own = sweep(policy, reading);
    for (int i = 0; i < own.size(); i++) {
      Statistics ratio = ratio(own.get(i), base.get(i));
      points.add(new Plot.Point(100 * own.get(i).cap(), ratio.mean(), ratio.ci95()));
    }
    return points;
  }

  /** All caps at 20 servers, ascending. */
  private List<Case> sweep(String policy, String reading) {
    List<Case> chosen =
        new ArrayList<>(
            chosen(c ->
                c.policy().equals(policy)
                    && c.servers() == 20
                    && reading.equals(c.setting().get("reading"))
                    && c.setting().containsKey("cap")));
    chosen.sort(Comparator.comparingDouble(Case::cap));
    return chosen;
  }

  private List<Case> chosen(Predicate<Case> rule) {
    return cases.stream().filter(rule).toList();
  }

  private void addWithPaper(
      List<Plot.Series> series, String name, List<Case> chosen, Figure figure) {
    series.add(new Plot.Series(name, points(chosen, Case::servers, figure), false));
    List<Plot.Point> paper = paper(chosen, Case::servers, figure);
    if (!paper.isEmpty()) {
      series.add(new Plot.Series(name, paper, true));
    }
  }

  private List<Plot.Point> points(List<Case> chosen, ToDoubleFunction<Case> x, Figure figure) {
    return chosen.stream()
        .map(c -> {
          Statistics over = Statistics.of(values(c, figure.of));
          return new Plot.Point(x.applyAsDouble(c), over.mean(), over.ci95());
        })
        .toList();
  }

  private static List<Plot.Point> paper(
      List<Case> chosen, ToDoubleFunction<Case> x, Figure figure) {
    List<Plot.Point> points = new ArrayList<>();
    for (Case each : chosen) {
      Double paper = figure.paper.apply(each);
      if (paper != null) {
        points.add(new Plot.Point(x.applyAsDouble(each), paper, 0));
      }
    }
    return points;
  }

  private double[] values(Case each, ToDoubleFunction<Case.Outcome> figure) {
    int at = cases.indexOf(each);
    double[] values = new double[outcomes.size() / cases.size()];
    for (int d = 0; d < values.length; d++) {
      values[d] = figure.applyAsDouble(outcomes.get(d * cases.size() + at));
    }
    return values;
  }

  private Statistics ratio(Case own, Case base) {
    double[] above = values(own, MAKESPAN.of);
    double[] below = values(base, MAKESPAN.of);
    double[] ratios = new double[above.length];
    for (int d = 0; d < ratios.length; d++) {
      ratios[d] = above[d] / below[d];
    }
    return Statistics.of(ratios);
  }
}
