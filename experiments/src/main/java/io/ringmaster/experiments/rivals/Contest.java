package io.ringmaster.experiments.rivals;

import io.ringmaster.experiments.Row;
import io.ringmaster.simulator.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * {@code maestro} beside the policies that stop jobs as often as they like, in one cell: some jobs,
 * what is told of their lengths, and how long a restart takes.
 *
 * @param restart seconds
 */
public record Contest(Contender.Workload workload, String lengths, double restart) {
  /** First the truth, then what a site may know, and then what is wrong on purpose. */
  public static final List<String> LENGTHS =
      List.of("perfect", "predicted", "group-mean", "noise:1", "reversed");

  public static final List<Double> RESTARTS = List.of(10.0, 60.0, 300.0);

  /** Draws of each cell, unless fewer are asked for. */
  public static final int DRAWS = 3;

  static final String MEAN = "ratio_to_best_rival";
  static final String P99 = "p99_ratio_to_best_rival";
  static final String LARGEST = "largest_tenth_ratio_to_best_rival";
  static final String STOPS_MEAN = "stops_mean";
  static final String STOPS_MOST = "stops_most";
  static final String TO_FIFO = "ratio_to_best_fifo";
  static final String RESTART = "restart_s";
  static final String RIVAL = "rival";

  private static final String NAME = "maestro";
  private static final String WORST = "reversed";

  /** With any number of workers for a job, which staged jobs do not take. */
  private static final String SHARING = "gadget";

  private static final List<String> RIVALS = List.of("srsf", "srtf", "las", SHARING);

  /** Every cell of some jobs. */
  public static List<Contest> all(List<? extends Contender.Workload> workloads) {
    List<Contest> all = new ArrayList<>();
    for (Contender.Workload workload : workloads) {
      for (String lengths : LENGTHS) {
        RESTARTS.forEach(restart -> all.add(new Contest(workload, lengths, restart)));
      }
    }
    return all;
  }

  private Contender own() {
    return Contender.of(NAME, lengths, workload, restart);
  }

  private List<Contender> rivals() {
    return RIVALS.stream()
        .filter(policy -> !(workload.staged() && policy.equals(SHARING)))
        .map(policy -> Contender.of(policy, lengths, workload, restart))
        .toList();
  }

  /** First come, first served stops nobody: how long a restart takes is nothing to it. */
  private List<Contender> fifos() {
    return Stream.of("true", "false")
        .map(blocking ->
            new Contender(
                blocking.equals("true") ? "fifo" : "fifo-skipping",
                "fifo",
                Map.of("placement", "consolidate", "blocking", blocking),
                workload,
                RESTARTS.getFirst()))
        .toList();
  }

  private boolean isMisled() {
    return lengths.equals(WORST);
  }

  /** Everybody who runs. */
  public Stream<Contender> contenders() {
    Stream<Contender> fifos = isMisled() ? fifos().stream() : Stream.empty();
    return Stream.concat(Stream.concat(Stream.of(own()), rivals().stream()), fifos);
  }

  /**
   * Its rows. The best rival is that with the best mean over the draws.
   *
   * @param outcomes what came of each, draw by draw
   */
  public List<Row> rows(Map<String, Object> setting, Function<Contender, List<Standing>> outcomes) {
    List<Standing> own = outcomes.apply(own());
    Contender best = best(rivals(), outcomes);
    List<Standing> others = outcomes.apply(best);
    Map<String, Object> named = new LinkedHashMap<>(setting);
    named.putAll(workload.named());
    named.put("prediction", lengths);
    named.put(RESTART, restart);
    named.put(RIVAL, best.name());
    List<Row> rows = new ArrayList<>();
    rows.add(row(named, MEAN, own(), ratio(own, others, Standing::meanSeconds)));
    rows.add(row(named, P99, own(), ratio(own, others, Standing::p99Seconds)));
    rows.add(row(named, LARGEST, own(), ratio(own, others, Standing::largestSeconds)));
    addStops(rows, named, own(), own);
    addStops(rows, named, best, others);
    if (isMisled()) {
      Contender fifo = best(fifos(), outcomes);
      named = new LinkedHashMap<>(named);
      named.put(RIVAL, fifo.name());
      rows.add(row(named, TO_FIFO, own(), ratio(own, outcomes.apply(fifo), Standing::meanSeconds)));
    }
    return rows;
  }

  private static Contender best(
      List<Contender> some, Function<Contender, List<Standing>> outcomes) {
    return some.stream()
        .min(
            Comparator.comparingDouble(
                each -> outcomes.apply(each).stream().mapToDouble(Standing::meanSeconds).sum()))
        .orElseThrow();
  }

  private static void addStops(
      List<Row> rows, Map<String, Object> setting, Contender whose, List<Standing> standings) {
    double[] means = standings.stream().mapToDouble(Standing::stopsMean).toArray();
    double most = standings.stream().mapToDouble(Standing::stopsMost).max().orElseThrow();
    rows.add(row(setting, STOPS_MEAN, whose, Statistics.of(means)));
    rows.add(row(setting, STOPS_MOST, whose, new Statistics(most, 0)));
  }

  private static Row row(
      Map<String, Object> setting, String metric, Contender whose, Statistics figure) {
    return new Row(setting, whose.name(), whose.lengths(), metric, figure);
  }

  private static Statistics ratio(
      List<Standing> own, List<Standing> others, ToDoubleFunction<Standing> figure) {
    double[] ratios = new double[own.size()];
    Arrays.setAll(
        ratios, i -> figure.applyAsDouble(own.get(i)) / figure.applyAsDouble(others.get(i)));
    return Statistics.of(ratios);
  }
}
