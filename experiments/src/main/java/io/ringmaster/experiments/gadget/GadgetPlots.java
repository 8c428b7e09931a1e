package io.ringmaster.experiments.gadget;

import io.ringmaster.experiments.Plot;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The plots of the experiment. Ratios are of the same draw, then averaged. */
final class GadgetPlots {
  private static final Goal PROGRESS = Goal.ALL.getFirst();
  private static final Goal SATURATING_BY_WORK = Goal.ALL.get(3);

  private static final double SECONDS_PER_HOUR = 3600;

  private final Figures figures;

  GadgetPlots(Figures figures) {
    this.figures = figures;
  }

  /** The middle of the grid: 100 jobs on 20 servers, 100 slots. */
  private static Predicate<Cell> byLoad(boolean shared) {
    return cell -> cell.jobs() == 100 && inTheMiddle(cell) && cell.shared() == shared;
  }

  private static boolean byJobs(Cell cell) {
    return cell.load() == 1 && inTheMiddle(cell) && !cell.shared();
  }

  private static boolean inTheMiddle(Cell cell) {
    return cell.servers() == 20 && cell.horizon() == 100 && cell.restartSeconds() == 0;
  }

  List<Plot> all() {
    List<Plot> plots = new ArrayList<>();
    plots.add(utility("utility-by-load", "load", byLoad(false), Cell::load, PROGRESS));
    plots.add(
        utility(
            "utility-by-load-saturating", "load", byLoad(false), Cell::load, SATURATING_BY_WORK));
    for (Goal goal : Goal.ALL) {
      if (!goal.equals(PROGRESS) && !goal.equals(SATURATING_BY_WORK)) {
        String name = "utility-by-load-%s-by-%s".formatted(goal.utility(), goal.weight());
        plots.add(utility(name, "load", byLoad(false), Cell::load, goal));
      }
    }
    plots.add(utility("utility-by-jobs", "jobs", GadgetPlots::byJobs, Cell::jobs, PROGRESS));
    plots.add(
        utility("utility-by-horizon", "horizon", GadgetPlots::byHorizon, Cell::horizon, PROGRESS));
    plots.addAll(List.of(finished(), completion(), slots(), networks()));
    return plots;
  }

  private static boolean byHorizon(Cell cell) {
    return cell.jobs() == 100
        && cell.servers() == 20
        && cell.load() == 1
        && cell.restartSeconds() == 0
        && !cell.shared();
  }

  private static List<String> policies() {
    return Stream.of(List.of(Case.GADGET), GadgetExperiment.FIXED, GadgetExperiment.ELASTIC)
        .flatMap(List::stream)
        .toList();
  }

  private Plot utility(
      String name, String horizontal, Predicate<Cell> cells, ToDoubleFunction<Cell> x, Goal goal) {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : policies()) {
      series.add(series(policy, cases(policy, goal, cells), x, goal));
    }
    String axis = horizontal.equals("horizon") ? "horizon, slots" : horizontal;
    return new Plot(name, title("Utility by " + horizontal, goal), axis, "utility", series);
  }

  private static String title(String text, Goal goal) {
    return "%s: %s, weight by %s".formatted(text, goal.utility(), goal.weight());
  }

  private Plot.Series series(String name, List<Case> cases, ToDoubleFunction<Cell> x, Goal goal) {
    return new Plot.Series(
        name, cases.stream().map(c -> point(c, x, o -> c.utility(o, goal))).toList(), false);
  }

  private Plot.Point point(
      Case each, ToDoubleFunction<Cell> x, ToDoubleFunction<Case.Outcome> figure) {
    Statistics over = figures.over(each, figure);
    return new Plot.Point(x.applyAsDouble(each.cell()), over.mean(), over.ci95());
  }

  private List<Case> cases(String policy, Goal goal, Predicate<Cell> cells) {
    return figures.chosen(
        c -> c.policy().equals(policy) && c.goals().contains(goal) && cells.test(c.cell()));
  }

  /** GADGET by every goal: what it leaves unfinished depends on what it is to achieve. */
  private Plot finished() {
    List<Plot.Series> series = new ArrayList<>();
    for (Goal goal : Goal.ALL) {
      series.add(
          finished("gadget, %s by %s".formatted(goal.utility(), goal.weight()), Case.GADGET, goal));
    }
    for (String policy : List.of("fifo", "fifo-elastic", "optimus")) {
      series.add(finished(policy, policy, PROGRESS));
    }
    return new Plot(
        "finished-by-load", "Jobs finished by load", "load", "share of jobs finished", series);
  }

  private Plot.Series finished(String name, String policy, Goal goal) {
    return new Plot.Series(
        name,
        cases(policy, goal, byLoad(false)).stream()
            .map(c -> point(c, Cell::load, Case.Outcome::finishedShare))
            .toList(),
        false);
  }

  /** A job that is not finished counts up to the horizon. */
  private Plot completion() {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : policies()) {
      List<Plot.Point> points =
          cases(policy, PROGRESS, byLoad(false)).stream()
              .map(c -> point(c, Cell::load, o -> o.completionSeconds() / SECONDS_PER_HOUR))
              .toList();
      series.add(new Plot.Series(policy, points, false));
    }
    return new Plot(
        "completion-by-load",
        "Completion by load; GADGET pursues progress, weight by job",
        "load",
        "mean completion or wait up to the horizon, hours",
        series);
  }

  private Plot slots() {
    List<Case> cases = cases(Case.GADGET, SATURATING_BY_WORK, byLoad(false));
    return new Plot(
        "bounds-by-load",
        title("GADGET against its bounds", SATURATING_BY_WORK),
        "load",
        "ratio",
        List.of(
            slots("plan over slot bound, mean", cases, Case.SlotRatios::mean),
            new Plot.Series(
                "plan over slot bound, worst slot of all draws",
                cases.stream().map(this::worstSlot).toList(),
                false),
            slots("part of the best schedule, proved", cases, Case.SlotRatios::certified),
            slots("the same by the worst slot", cases, Case.SlotRatios::guarantee)));
  }

  private Plot.Series slots(
      String name, List<Case> cases, ToDoubleFunction<Case.SlotRatios> figure) {
    return new Plot.Series(
        name,
        cases.stream()
            .map(c -> point(c, Cell::load, o -> figure.applyAsDouble(o.slots())))
            .toList(),
        false);
  }

  private Plot.Point worstSlot(Case each) {
    double worst = Arrays.stream(figures.values(each, o -> o.slots().worst())).min().orElseThrow();
    return new Plot.Point(each.cell().load(), worst, 0);
  }

  private Plot networks() {
    List<Plot.Series> series = new ArrayList<>();
    for (boolean shared : new boolean[] {false, true}) {
      for (String policy : List.of(Case.GADGET, "fifo-elastic", "optimus")) {
        series.add(
            series(
                policy + (shared ? ", shared" : ", reserved"),
                cases(policy, PROGRESS, byLoad(shared)),
                Cell::load,
                PROGRESS));
      }
    }
    return new Plot(
        "utility-by-network",
        title("Bandwidth reserved, or links shared", PROGRESS),
        "load",
        "utility",
        series);
  }
}
