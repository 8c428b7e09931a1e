package io.ringmaster.experiments.sjfbco;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The figures of the experiment. Ratios are of the same draw, then averaged. */
record SjfBcoPlots(Outcomes<SjfBcoCell, SjfBcoCell.Outcome> outcomes) {
  private static final List<String> COMPARED =
      List.of("sjf-bco", "list-scheduling", "first-fit", "random", "longest-first");

  /** A figure of a run, and what the paper has for it. */
  private record Figure(
      ToDoubleFunction<SjfBcoCell.Outcome> of, Function<SjfBcoCell, @Nullable Double> paper) {}

  private static final Figure MAKESPAN =
      new Figure(SjfBcoCell.Outcome::makespan, SjfBcoCell::paperMakespan);
  private static final Figure COMPLETION =
      new Figure(SjfBcoCell.Outcome::completion, SjfBcoCell::paperCompletion);

  List<Plot> all() {
    return List.of(
        byServers("makespan", "Makespan", "literal", MAKESPAN),
        byServers("makespan", "Makespan", "planned", MAKESPAN),
        byServers("completion", "Mean completion", "literal", COMPLETION),
        byServers("completion", "Mean completion", "planned", COMPLETION),
        varied("kappa"),
        varied("lambda"),
        byCap(),
        bounds());
  }

  /** A policy at all numbers of servers, with the paper's cap on extra time. */
  private List<SjfBcoCell> byServers(String policy, String reading) {
    return outcomes.cells(c ->
        c.policy().equals(policy)
            && c.cap() == 0.15
            && reading.equals(c.setting().get("reading"))
            && c.setting().containsKey("servers"));
  }

  private Plot byServers(String file, String what, String reading, Figure figure) {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : COMPARED) {
      addWithPaper(series, policy, byServers(policy, reading), figure);
    }
    return new Plot(
        "%s-by-servers-%s".formatted(file, reading),
        "%s by servers, reading: %s, extra time up to 15 %%".formatted(what, reading),
        "servers",
        what.toLowerCase(Locale.ROOT) + ", slots",
        series);
  }

  /** What the paper does not have: GADGET on reserved bandwidth, and what nobody can beat. */
  private Plot bounds() {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy :
        List.of("sjf-bco", "longest-first", SjfBcoCell.RESERVING, SjfBcoCell.BOUND)) {
      List<SjfBcoCell> chosen = byServers(policy, "literal");
      series.add(outcomes.series(policy, chosen, SjfBcoCell::servers, MAKESPAN.of));
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
      List<SjfBcoCell> chosen =
          outcomes.cells(
              c -> c.setting().containsKey(name) && reading.equals(c.setting().get("reading")));
      ToDoubleFunction<SjfBcoCell> x = c -> Double.parseDouble("" + c.setting().get(name));
      series.add(outcomes.series(reading, chosen, x, MAKESPAN.of));
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
      series.add(new Plot.Series(policy, ratios(policy, "literal")));
    }
    for (String policy : List.of("list-scheduling", "first-fit")) {
      series.add(new Plot.Series(policy + ", planned", ratios(policy, "planned")));
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
    List<SjfBcoCell> base = sweep("sjf-bco", reading);
    List<SjfBcoCell> own = sweep(policy, reading);
    for (int i = 0; i < own.size(); i++) {
      Statistics ratio = outcomes.ratio(own.get(i), base.get(i), MAKESPAN.of);
      points.add(Plot.Point.of(100 * own.get(i).cap(), ratio));
    }
    return points;
  }

  /** All caps at 20 servers, ascending. */
  private List<SjfBcoCell> sweep(String policy, String reading) {
    List<SjfBcoCell> chosen =
        new ArrayList<>(
            outcomes.cells(c ->
                c.policy().equals(policy)
                    && c.servers() == 20
                    && reading.equals(c.setting().get("reading"))
                    && c.setting().containsKey("cap")));
    chosen.sort(Comparator.comparingDouble(SjfBcoCell::cap));
    return chosen;
  }

  private void addWithPaper(
      List<Plot.Series> series, String name, List<SjfBcoCell> chosen, Figure figure) {
    series.add(outcomes.series(name, chosen, SjfBcoCell::servers, figure.of));
    List<Plot.Point> paper = paper(chosen, SjfBcoCell::servers, figure);
    if (!paper.isEmpty()) {
      series.add(new Plot.Series(name, paper, true));
    }
  }

  private static List<Plot.Point> paper(
      List<SjfBcoCell> chosen, ToDoubleFunction<SjfBcoCell> x, Figure figure) {
    List<Plot.Point> points = new ArrayList<>();
    for (SjfBcoCell each : chosen) {
      Double paper = figure.paper.apply(each);
      if (paper != null) {
        points.add(new Plot.Point(x.applyAsDouble(each), paper));
      }
    }
    return points;
  }
}
