package io.ringmaster.experiments.asrpt;

import io.ringmaster.experiments.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The plots of the experiment.
 *
 * @param settings where lengths are known
 * @param predicted one for each way to know lengths, alike in all else
 */
record ASrptPlots(List<ASrptSetting> settings, List<ASrptSetting> predicted, Means means) {
  private static final String MINUTES = "mean completion, minutes";
  private static final double PLOTTED_LOAD = 0.9;

  List<Plot> all() {
    List<Strategy> plain = joined(List.of(Strategy.RESERVE, Strategy.LITERAL), Strategy.BASELINES);
    List<Strategy> reserved = joined(List.of(Strategy.RESERVE), Strategy.RESERVED);
    List<Plot> plots = new ArrayList<>();
    for (int bandwidth : ASrptExperiment.BANDWIDTHS) {
      plots.add(byLoad("jct-by-load-" + bandwidth, "%d Gbit/s", bandwidth, plain));
    }
    for (int bandwidth : ASrptExperiment.BANDWIDTHS) {
      plots.add(
          byLoad(
              "jct-by-load-reserved-" + bandwidth,
              "%d Gbit/s, all with reservation",
              bandwidth,
              reserved));
    }
    plots.add(
        plot(
            "jct-by-bandwidth",
            "Completion by bandwidth, load 0.9",
            "Gbit/s of a server",
            plain,
            where(setting -> setting.load() == PLOTTED_LOAD),
            ASrptSetting::bandwidth));
    for (int bandwidth : ASrptExperiment.BANDWIDTHS) {
      plots.add(
          byLoad(
              "jct-by-load-all-" + bandwidth,
              "%d Gbit/s, all policies and placements",
              bandwidth,
              Strategy.ALL));
    }
    plots.add(byPrediction(plain));
    return plots;
  }

  /** Ways to know lengths have no order: they are numbered. */
  private Plot byPrediction(List<Strategy> strategies) {
    List<String> names = new ArrayList<>();
    predicted.forEach(
        setting -> names.add("%d %s".formatted(names.size() + 1, setting.prediction().text())));
    return plot(
        "jct-by-prediction",
        "Completion by what is known of lengths, load 0.9, 25 Gbit/s",
        "lengths: " + String.join(", ", names),
        strategies,
        predicted,
        setting -> predicted.indexOf(setting) + 1);
  }

  private static List<Strategy> joined(List<Strategy> first, List<Strategy> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private Plot byLoad(String name, String where, int bandwidth, List<Strategy> strategies) {
    return plot(
        name,
        "Completion by load, " + where.formatted(bandwidth),
        "load",
        strategies,
        where(setting -> setting.bandwidth() == bandwidth),
        ASrptSetting::load);
  }

  private List<ASrptSetting> where(Predicate<ASrptSetting> rule) {
    return settings.stream().filter(rule).toList();
  }

  private Plot plot(
      String name,
      String title,
      String horizontal,
      List<Strategy> strategies,
      List<ASrptSetting> chosen,
      ToDoubleFunction<ASrptSetting> x) {
    List<Plot.Series> series = new ArrayList<>();
    for (Strategy strategy : strategies) {
      List<Plot.Point> points =
          chosen.stream()
              .map(each -> Plot.Point.of(x.applyAsDouble(each), means.minutes(each, strategy)))
              .toList();
      series.add(new Plot.Series(strategy.name(), points));
    }
    return new Plot(name, title, horizontal, MINUTES, true, series);
  }
}
