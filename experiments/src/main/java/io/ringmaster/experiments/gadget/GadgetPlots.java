package io.ringmaster.experiments.gadget;

import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The plots of the experiment. Ratios are of the same draw, then averaged. */
record GadgetPlots(Outcomes<GadgetCell, GadgetCell.Outcome> outcomes) {
  private static final Goal PROGRESS = Goal.ALL.getFirst();
  private static final Goal SATURATING_BY_WORK = Goal.ALL.get(3);

  private static final double SECONDS_PER_HOUR = 3600;

  /** The middle of the grid: 100 jobs on 20 servers, 100 slots. */
  private static Predicate<GadgetSetting> byLoad(boolean shared) {
    return setting -> setting.jobs() == 100 && inTheMiddle(setting) && setting.shared() == shared;
  }

  private static boolean byJobs(GadgetSetting setting) {
    return setting.load() == 1 && inTheMiddle(setting) && !setting.shared();
  }

  private static boolean inTheMiddle(GadgetSetting setting) {
    return setting.servers() == 20 && setting.horizon() == 100 && setting.restartSeconds() == 0;
  }

  List<Plot> all() {
    List<Plot> plots = new ArrayList<>();
    plots.add(utility("utility-by-load", "load", byLoad(false), GadgetSetting::load, PROGRESS));
    plots.add(
        utility(
            "utility-by-load-saturating",
            "load",
            byLoad(false),
            GadgetSetting::load,
            SATURATING_BY_WORK));
    for (Goal goal : Goal.ALL) {
      if (!goal.equals(PROGRESS) && !goal.equals(SATURATING_BY_WORK)) {
        String name = "utility-by-load-%s-by-%s".formatted(goal.utility(), goal.weight());
        plots.add(utility(name, "load", byLoad(false), GadgetSetting::load, goal));
      }
    }
    plots.add(
        utility("utility-by-jobs", "jobs", GadgetPlots::byJobs, GadgetSetting::jobs, PROGRESS));
    plots.add(
        utility(
            "utility-by-horizon",
            "horizon",
            GadgetPlots::byHorizon,
            GadgetSetting::horizon,
            PROGRESS));
    plots.addAll(List.of(finished(), completion(), slots(), networks()));
    return plots;
  }

  private static boolean byHorizon(GadgetSetting setting) {
    return setting.jobs() == 100
        && setting.servers() == 20
        && setting.load() == 1
        && setting.restartSeconds() == 0
        && !setting.shared();
  }

  private static List<String> policies() {
    return Stream.of(List.of(GadgetCell.GADGET), GadgetExperiment.FIXED, GadgetExperiment.ELASTIC)
        .flatMap(List::stream)
        .toList();
  }

  private Plot utility(
      String name,
      String horizontal,
      Predicate<GadgetSetting> settings,
      ToDoubleFunction<GadgetSetting> x,
      Goal goal) {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : policies()) {
      series.add(series(policy, cells(policy, goal, settings), x, goal));
    }
    String axis = horizontal.equals("horizon") ? "horizon, slots" : horizontal;
    return new Plot(name, title("Utility by " + horizontal, goal), axis, "utility", series);
  }

  private static String title(String text, Goal goal) {
    return "%s: %s, weight by %s".formatted(text, goal.utility(), goal.weight());
  }

  /** By its own goal a cell finds the figure, so each has another function. */
  private Plot.Series series(
      String name, List<GadgetCell> cells, ToDoubleFunction<GadgetSetting> x, Goal goal) {
    return new Plot.Series(
        name,
        cells.stream()
            .map(c ->
                Plot.Point.of(
                    x.applyAsDouble(c.setting()), outcomes.over(c, o -> c.utility(o, goal))))
            .toList());
  }

  private Plot.Series byLoad(
      String name, List<GadgetCell> cells, ToDoubleFunction<GadgetCell.Outcome> figure) {
    return outcomes.series(name, cells, c -> c.setting().load(), figure);
  }

  private List<GadgetCell> cells(String policy, Goal goal, Predicate<GadgetSetting> settings) {
    return outcomes.cells(
        c -> c.policy().equals(policy) && c.goals().contains(goal) && settings.test(c.setting()));
  }

  /** GADGET by every goal: what it leaves unfinished depends on what it is to achieve. */
  private Plot finished() {
    List<Plot.Series> series = new ArrayList<>();
    for (Goal goal : Goal.ALL) {
      String name = "gadget, %s by %s".formatted(goal.utility(), goal.weight());
      series.add(finished(name, GadgetCell.GADGET, goal));
    }
    for (String policy : List.of("fifo", "fifo-elastic", "optimus")) {
      series.add(finished(policy, policy, PROGRESS));
    }
    return new Plot(
        "finished-by-load", "Jobs finished by load", "load", "share of jobs finished", series);
  }

  private Plot.Series finished(String name, String policy, Goal goal) {
    return byLoad(name, cells(policy, goal, byLoad(false)), GadgetCell.Outcome::finishedShare);
  }

  /** A job that is not finished counts up to the horizon. */
  private Plot completion() {
    List<Plot.Series> series = new ArrayList<>();
    for (String policy : policies()) {
      List<GadgetCell> cells = cells(policy, PROGRESS, byLoad(false));
      series.add(byLoad(policy, cells, o -> o.completionSeconds() / SECONDS_PER_HOUR));
    }
    return new Plot(
        "completion-by-load",
        "Completion by load; GADGET pursues progress, weight by job",
        "load",
        "mean completion or wait up to the horizon, hours",
        series);
  }

  private Plot slots() {
    List<GadgetCell> cells = cells(GadgetCell.GADGET, SATURATING_BY_WORK, byLoad(false));
    return new Plot(
        "bounds-by-load",
        title("GADGET against its bounds", SATURATING_BY_WORK),
        "load",
        "ratio",
        List.of(
            byLoad("plan over slot bound, mean", cells, o -> o.slots().mean()),
            new Plot.Series(
                "plan over slot bound, worst slot of all draws",
                cells.stream().map(this::worstSlot).toList()),
            byLoad("part of the best schedule, proved", cells, o -> o.slots().certified()),
            byLoad("the same by the worst slot", cells, o -> o.slots().guarantee())));
  }

  private Plot.Point worstSlot(GadgetCell each) {
    double worst = Arrays.stream(outcomes.values(each, o -> o.slots().worst())).min().orElseThrow();
    return new Plot.Point(each.setting().load(), worst);
  }

  private Plot networks() {
    List<Plot.Series> series = new ArrayList<>();
    for (boolean shared : new boolean[] {false, true}) {
      for (String policy : List.of(GadgetCell.GADGET, "fifo-elastic", "optimus")) {
        series.add(
            series(
                policy + (shared ? ", shared" : ", reserved"),
                cells(policy, PROGRESS, byLoad(shared)),
                GadgetSetting::load,
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
