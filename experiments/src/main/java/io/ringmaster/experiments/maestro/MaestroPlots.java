package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.doubling.Contention;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The plots of the experiment, with the numbers of its rows. */
final class MaestroPlots {
  private static final String LOAD = "load";
  private static final String UTILITY = "utility";
  private static final int PLOTTED_JOBS = 100;
  private static final int PLOTTED_SERVERS = 20;

  /** What tells the cells of an ablation apart. */
  private static final List<String> TELLING =
      List.of(
          MaestroExperiment.EXPERIMENT,
          "workload",
          "cap",
          LOAD,
          AdversarialPart.PREDICTION,
          "contention",
          DoublingPart.LENGTHS,
          UTILITY);

  private final List<Row> rows;

  MaestroPlots(List<Row> rows) {
    this.rows = rows;
  }

  List<Plot> all() {
    return Stream.of(
            batch(),
            online(),
            elastic(),
            slotted(),
            adversarial(),
            ablation("ablation", Metric.TO_SEED, "over the seed (gadget: utility, more is better)"),
            ablation("ablation-adversarial", Metric.TO_FIFO, "mean completion over fifo's"))
        .filter(plot -> !plot.series().isEmpty())
        .toList();
  }

  private Plot batch() {
    return plot(
        "sjf-bco",
        "The batch of SJF-BCO: makespan and mean completion, each with its own objective",
        "extra time that contention and overhead may cost, % of a job's time",
        "over SJF-BCO's",
        row ->
            whole(row, SjfBcoPart.SEED)
                && !row.setting().containsKey(AdversarialPart.PREDICTION)
                && Stream.of("makespan makespan", "jct completion")
                    .anyMatch(text(row, "objective", "figure")::equals),
        row -> 100 * number(row, "cap"),
        row -> "%s, %s servers".formatted(text(row, "figure"), text(row, "servers")));
  }

  private Plot online() {
    return plot(
        "a-srpt",
        "The jobs of A-SRPT",
        LOAD,
        "mean completion over a-srpt's",
        row -> whole(row, ASrptPart.SEED),
        row -> number(row, LOAD),
        row ->
            "%s Gbit/s, %s"
                .formatted(text(row, "bandwidth"), text(row, AdversarialPart.PREDICTION)));
  }

  private Plot elastic() {
    return plot(
        "doubling",
        "The elastic jobs of doubling",
        "mean seconds between arrivals",
        "mean completion over doubling's",
        row -> whole(row, DoublingPart.SEED),
        row -> Contention.valueOf(text(row, "contention").toUpperCase(Locale.ROOT)).gapSeconds(),
        row -> text(row, DoublingPart.LENGTHS) + " lengths");
  }

  private Plot slotted() {
    return plot(
        GadgetPart.SEED,
        "The slots of GADGET: %d jobs, %d servers".formatted(PLOTTED_JOBS, PLOTTED_SERVERS),
        LOAD,
        "utility over gadget's",
        row ->
            whole(row, GadgetPart.SEED)
                && number(row, "jobs") == PLOTTED_JOBS
                && number(row, "servers") == PLOTTED_SERVERS,
        row -> number(row, LOAD),
        row -> "%s by %s".formatted(text(row, UTILITY), text(row, "weight")));
  }

  /** Ways to be told have no order: they are numbered. */
  private Plot adversarial() {
    List<String> told = AdversarialPart.PREDICTIONS;
    return plot(
        AdversarialPart.NAME,
        "Lengths that are told wrong",
        "lengths: " + numbered(told),
        "mean completion over fifo's",
        row ->
            row.metric().equals(Metric.TO_FIFO.text())
                && !row.setting().containsKey(Maestro.WITHOUT),
        row -> told.indexOf(text(row, AdversarialPart.PREDICTION)) + 1,
        row -> "%s, %s".formatted(row.policy(), text(row, "workload", LOAD)));
  }

  private Plot ablation(String name, Metric metric, String vertical) {
    return plot(
        name,
        "What each ingredient is worth",
        "left out: " + numbered(Maestro.LEFT_OUT),
        vertical,
        row -> row.metric().equals(metric.text()) && row.setting().containsKey(Maestro.WITHOUT),
        row -> Maestro.LEFT_OUT.indexOf(text(row, Maestro.WITHOUT)) + 1,
        row ->
            TELLING.stream()
                .filter(row.setting()::containsKey)
                .map(key -> text(row, key))
                .collect(Collectors.joining(" ")));
  }

  private static String numbered(List<String> names) {
    return IntStream.range(0, names.size())
        .mapToObj(i -> "%d %s".formatted(i + 1, names.get(i)))
        .collect(Collectors.joining(", "));
  }

  /** Beside the policy whose experiment it is, with nothing left out. */
  private static boolean whole(Row row, String experiment) {
    return row.metric().equals(Metric.TO_SEED.text())
        && text(row, MaestroExperiment.EXPERIMENT).equals(experiment)
        && !row.setting().containsKey(Maestro.WITHOUT);
  }

  private static String text(Row row, String... keys) {
    return Stream.of(keys)
        .map(key -> Objects.requireNonNull(row.setting().get(key)).toString())
        .collect(Collectors.joining(" "));
  }

  private static double number(Row row, String key) {
    return Double.parseDouble(text(row, key));
  }

  private Plot plot(
      String name,
      String title,
      String horizontal,
      String vertical,
      Predicate<Row> chosen,
      ToDoubleFunction<Row> x,
      Function<Row, String> line) {
    Map<String, List<Plot.Point>> lines = new LinkedHashMap<>();
    rows.stream()
        .filter(chosen)
        .forEach(row ->
            lines
                .computeIfAbsent(line.apply(row), _ -> new ArrayList<>())
                .add(
                    new Plot.Point(
                        x.applyAsDouble(row), row.figure().mean(), row.figure().ci95())));
    List<Plot.Series> series = new ArrayList<>();
    lines.forEach((label, points) -> series.add(new Plot.Series(label, points, false)));
    return new Plot(name, title, horizontal, vertical, series);
  }
}
