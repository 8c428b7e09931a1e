package io.ringmaster.experiments.maestro;

import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.doubling.Contention;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The plots of the experiment, with the numbers of its rows. */
record MaestroPlots(List<Row> rows) {
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
                    .anyMatch((row.text("objective") + " " + row.text("figure"))::equals),
        row -> 100 * row.number("cap"),
        row -> "%s, %s servers".formatted(row.text("figure"), row.text("servers")));
  }

  private Plot online() {
    return plot(
        "a-srpt",
        "The jobs of A-SRPT",
        LOAD,
        "mean completion over a-srpt's",
        row -> whole(row, ASrptPart.SEED),
        row -> row.number(LOAD),
        row ->
            "%s Gbit/s, %s".formatted(row.text("bandwidth"), row.text(AdversarialPart.PREDICTION)));
  }

  private Plot elastic() {
    return plot(
        "doubling",
        "The elastic jobs of doubling",
        "mean seconds between arrivals",
        "mean completion over doubling's",
        row -> whole(row, DoublingPart.SEED),
        row -> Contention.valueOf(row.text("contention").toUpperCase(Locale.ROOT)).gapSeconds(),
        row -> row.text(DoublingPart.LENGTHS) + " lengths");
  }

  private Plot slotted() {
    return plot(
        GadgetPart.SEED,
        "The slots of GADGET: %d jobs, %d servers".formatted(PLOTTED_JOBS, PLOTTED_SERVERS),
        LOAD,
        "utility over gadget's",
        row ->
            whole(row, GadgetPart.SEED)
                && row.number("jobs") == PLOTTED_JOBS
                && row.number("servers") == PLOTTED_SERVERS,
        row -> row.number(LOAD),
        row -> "%s by %s".formatted(row.text(UTILITY), row.text("weight")));
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
        row -> told.indexOf(row.text(AdversarialPart.PREDICTION)) + 1,
        row -> "%s, %s".formatted(row.policy(), row.text("workload") + " " + row.text(LOAD)));
  }

  private Plot ablation(String name, Metric metric, String vertical) {
    return plot(
        name,
        "What each ingredient is worth",
        "left out: " + numbered(Maestro.leftOut(true)),
        vertical,
        row -> row.metric().equals(metric.text()) && row.setting().containsKey(Maestro.WITHOUT),
        row -> Maestro.leftOut(true).indexOf(row.text(Maestro.WITHOUT)) + 1,
        row ->
            TELLING.stream()
                .filter(row.setting()::containsKey)
                .map(row::text)
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
        && row.text(MaestroExperiment.EXPERIMENT).equals(experiment)
        && !row.setting().containsKey(Maestro.WITHOUT);
  }

  private Plot plot(
      String name,
      String title,
      String horizontal,
      String vertical,
      Predicate<Row> chosen,
      ToDoubleFunction<Row> x,
      Function<Row, String> line) {
    List<Plot.Series> series = Plot.lines(rows.stream().filter(chosen).toList(), line, x);
    return new Plot(name, title, horizontal, vertical, series);
  }
}
