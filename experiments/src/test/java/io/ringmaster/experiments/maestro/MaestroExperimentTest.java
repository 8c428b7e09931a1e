package io.ringmaster.experiments.maestro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.registry.Experiments;
import io.ringmaster.experiments.rivals.Contest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MaestroExperimentTest {
  private static final MaestroExperiment EXPERIMENT =
      experiment(_ -> true, MaestroExperimentTest::isRun);
  private static final AtomicLong DONE = new AtomicLong();
  private static final List<String> GENERAL =
      List.of("none", "order", "consolidation", "preemption", "waiting", "growth", "search");
  private static final List<String> OF_STOPPING =
      List.of(
          "learning",
          "moving",
          "caution",
          "aversion",
          "restarts-ahead",
          "small-first",
          "price",
          "waited");
  private static Experiment.Results results = new Experiment.Results(List.of(), List.of());

  @BeforeAll
  static void run() {
    results = EXPERIMENT.run(1, 2, done -> DONE.accumulateAndGet(done, Math::max));
  }

  private static MaestroExperiment experiment(
      Predicate<Ratio> chosen, Predicate<Contest> contests) {
    return new MaestroExperiment(StandIns.SMALL, StandIns::of, chosen, contests);
  }

  /** A few of sixty cells. */
  private static boolean isRun(Contest contest) {
    return contest.restart() != 60 && List.of("perfect", "reversed").contains(contest.lengths());
  }

  private static List<String> lines(Predicate<Row> chosen) {
    return results.rows().stream().filter(chosen).map(MaestroExperimentTest::line).toList();
  }

  /** Who is the best baseline depends on the draw. */
  private static String line(Row row) {
    String setting = row.setting().toString().replaceAll(", baseline=[a-z0-9-]*}", ", baseline}");
    return "%s %s %s".formatted(row.metric(), row.policy(), setting);
  }

  private static Predicate<Row> of(String experiment) {
    return has("experiment", experiment);
  }

  private static void addReduced(
      List<String> lines, boolean stopping, String metric, String cell, String ending) {
    List<String> leftOut = new ArrayList<>(GENERAL);
    leftOut.addAll(stopping ? OF_STOPPING : List.of());
    leftOut.forEach(
        name -> lines.add("%s maestro {%s, without=%s%s}".formatted(metric, cell, name, ending)));
  }

  private static void addSeedAndBest(List<String> lines, String cell) {
    lines.add("ratio_to_seed maestro {%s}".formatted(cell));
    lines.add("ratio_to_best_baseline maestro {%s, baseline}".formatted(cell));
  }

  @Test
  void rowsOfTheBatch() {
    List<String> expected = new ArrayList<>();
    String cell = "experiment=sjf-bco, servers=%d, cap=%s, objective=%s, figure=%s";
    for (double cap : new double[] {0.15, 0.3, 0.6}) {
      for (int servers : new int[] {10, 15, 20}) {
        for (String objective : List.of("makespan", "mixed", "jct")) {
          for (String figure : List.of("makespan", "completion")) {
            String own = cell.formatted(servers, cap, objective, figure);
            addSeedAndBest(expected, own);
            expected.add("ratio_to_bound maestro {%s}".formatted(own));
          }
        }
        String noisy = cell.formatted(servers, cap, "makespan", "makespan");
        addSeedAndBest(expected, noisy + ", prediction=noise:0.25");
      }
    }
    for (double cap : new double[] {0.15, 0.6}) {
      String own = cell.formatted(20, cap, "makespan", "makespan");
      addReduced(expected, false, "ratio_to_seed", own, "");
    }
    assertThat(lines(of("sjf-bco"))).containsExactlyElementsOf(expected);
  }

  @Test
  void rowsOfJobsThatComeOverTime() {
    List<String> expected = new ArrayList<>();
    String cell = "experiment=a-srpt, load=%s, bandwidth=%d, prediction=%s";
    for (String prediction : List.of("perfect", "group-mean")) {
      for (int bandwidth : new int[] {10, 25, 100}) {
        for (double load : new double[] {0.7, 0.9, 1.1}) {
          String own = cell.formatted(load, bandwidth, prediction);
          expected.add("ratio_to_seed maestro {%s}".formatted(own));
          expected.add("ratio_of_means_to_seed maestro {%s}".formatted(own));
          expected.add("ratio_to_best_baseline maestro {%s, baseline}".formatted(own));
          expected.add("ratio_to_bound maestro {%s}".formatted(own));
        }
      }
    }
    for (String prediction : List.of("perfect", "group-mean")) {
      addReduced(expected, true, "ratio_to_seed", cell.formatted(1.1, 25, prediction), "");
    }
    assertThat(lines(of("a-srpt"))).containsExactlyElementsOf(expected);
  }

  @Test
  void rowsOfElasticJobs() {
    List<String> expected = new ArrayList<>();
    String cell = "experiment=doubling, contention=%s, lengths=%s";
    for (String lengths : List.of("equal", "log-normal")) {
      for (String contention : List.of("extreme", "moderate", "none")) {
        String own = cell.formatted(contention, lengths);
        addSeedAndBest(expected, own);
        expected.add("ratio_to_bound maestro {%s}".formatted(own));
      }
    }
    addReduced(expected, false, "ratio_to_seed", cell.formatted("moderate", "equal"), "");
    addReduced(expected, false, "ratio_to_seed", cell.formatted("extreme", "log-normal"), "");
    assertThat(lines(of("doubling"))).containsExactlyElementsOf(expected);
  }

  @Test
  void rowsOfSlots() {
    List<String> expected = new ArrayList<>();
    String cell =
        "experiment=gadget, jobs=100, servers=20, utility=%s, weight=%s, load=1.0, horizon=100,"
            + " network=reserved";
    for (String utility : List.of("progress", "saturating", "fair")) {
      for (String weight : List.of("job", "work")) {
        addSeedAndBest(expected, cell.formatted(utility, weight));
      }
    }
    addReduced(expected, false, "ratio_to_seed", cell.formatted("progress", "job"), "");
    addReduced(expected, false, "ratio_to_seed", cell.formatted("saturating", "work"), "");
    assertThat(lines(of("gadget"))).containsExactlyElementsOf(expected);
  }

  @Test
  void rowsOfWrongLengths() {
    List<String> expected = new ArrayList<>();
    List<String> workloads =
        List.of(
            "workload=a-srpt, load=0.9", "workload=a-srpt, load=1.1", "workload=philly, load=1.0");
    String cell = "experiment=adversarial, %s, prediction=%s";
    for (String workload : workloads) {
      for (String prediction : List.of("perfect", "reversed", "equal", "noise:3")) {
        for (String policy : List.of("maestro", "srsf", "sjf")) {
          expected.add(
              "ratio_to_fifo %s {%s, baseline}"
                  .formatted(policy, cell.formatted(workload, prediction)));
        }
      }
    }
    for (String workload : workloads) {
      addReduced(
          expected, true, "ratio_to_fifo", cell.formatted(workload, "reversed"), ", baseline");
    }
    assertThat(lines(of("adversarial"))).containsExactlyElementsOf(expected);
  }

  @Test
  void rowsBesideRivals() {
    List<String> expected = new ArrayList<>();
    for (String workload :
        List.of("week, load=1.0", "small-week, load=1.0", "a-srpt, load=0.9", "a-srpt, load=1.1")) {
      for (String lengths : List.of("perfect", "reversed")) {
        for (String restart : List.of("10.0", "300.0")) {
          String cell =
              "experiment=rivals, workload=%s, prediction=%s, restart_s=%s"
                  .formatted(workload, lengths, restart);
          expected.add("ratio_to_best_rival " + cell);
          expected.add("p99_ratio_to_best_rival " + cell);
          expected.add("largest_tenth_ratio_to_best_rival " + cell);
          expected.addAll(Collections.nCopies(2, "stops_mean " + cell));
          expected.addAll(Collections.nCopies(2, "stops_most " + cell));
          if (lengths.equals("reversed")) {
            expected.add("ratio_to_best_fifo " + cell);
          }
        }
      }
    }
    assertThat(results.rows().stream().filter(of("rivals")))
        .extracting(row ->
            "%s %s"
                .formatted(row.metric(), row.setting().toString().replaceAll("[{]|, rival=.*", "")))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(rows("stops_most", of("rivals").and(row -> row.policy().equals("maestro"))))
        .hasSize(16)
        .allMatch(row -> row.figure().mean() <= 10);
  }

  @Test
  void everyRowHasTheFormThatDocumentsName() {
    for (Row row : results.rows()) {
      assertThat(row.setting().keySet().iterator().next()).isEqualTo("experiment");
      assertThat(row.figure().mean() > 0 || row.metric().startsWith("stops_"))
          .as("%s", row)
          .isTrue();
      assertThat(row.figure().ci95()).isZero();
      assertThat(row.paper()).isNull();
    }
    assertThat(DONE.get()).isEqualTo(EXPERIMENT.steps(1));
    assertThat(Experiments.named("maestro").defaultDraws()).isEqualTo(20);
    assertThat(Experiments.named("maestro").docs()).isEqualTo("docs/experiments/maestro.md");
  }

  private static List<Row> rows(String metric, Predicate<Row> chosen) {
    return results.rows().stream()
        .filter(row -> row.metric().equals(metric))
        .filter(chosen)
        .toList();
  }

  /** A policy is as good as itself. */
  @Test
  void standInsAreAmongThoseThatTheyAreComparedWith() {
    for (Row row : rows("ratio_to_best_baseline", of("sjf-bco"))) {
      String own = has("objective", "jct").test(row) ? "srsf" : "longest-first";
      if (has("baseline", own).test(row)) {
        assertThat(row.figure().mean()).as("%s", row).isEqualTo(1);
      } else {
        assertThat(row.figure().mean()).as("%s", row).isGreaterThanOrEqualTo(1);
      }
    }
    assertThat(rows("ratio_to_best_baseline", of("sjf-bco").and(has("prediction", "noise:0.25"))))
        .hasSize(9)
        .allMatch(has("baseline", "longest-first"));
    assertThat(rows("ratio_to_seed", of("gadget"))).allMatch(row -> row.figure().mean() == 1);
    assertThat(rows("ratio_to_best_baseline", of("a-srpt")))
        .allMatch(row -> row.figure().mean() >= 1);
    List<Row> misled = rows("ratio_to_fifo", row -> !row.setting().containsKey("without"));
    for (int i = 0; i < misled.size(); i += 3) {
      assertThat(misled.get(i).figure()).isEqualTo(misled.get(i + 1).figure());
    }
  }

  /** Who cannot tell jobs apart takes them as they come: as one of both kinds of fifo. */
  @Test
  void shortestFirstIsFirstComeIfAllAreToldAlike() {
    Predicate<Row> equal = has("prediction", "equal").and(row -> row.policy().equals("sjf"));
    assertThat(rows("ratio_to_fifo", equal)).hasSize(3).allMatch(row -> row.figure().mean() >= 1);
  }

  @Test
  void nothingBeatsABound() {
    assertThat(rows("ratio_to_bound", _ -> true))
        .hasSize(9 * 6 + 18 + 6)
        .allMatch(row -> row.figure().mean() >= 1);
  }

  @Test
  void targetsAreOfTheWorstCells() {
    List<Experiment.Check> checks = results.checks();
    assertThat(checks)
        .extracting(Experiment.Check::limit)
        .containsExactly(
            0.80, 0.97, 1.10, 0.92, 1.00, 1.00, 0.92, 0.85, 1 / 0.99, 0.995, 1.01, 0.97, 10.0,
            1.00);
    Predicate<Row> makespan =
        of("sjf-bco")
            .and(has("objective", "makespan"))
            .and(has("figure", "makespan"))
            .and(row -> !row.setting().containsKey("prediction"));
    Predicate<Row> loaded = of("a-srpt").and(has("load", 0.7).negate());
    Predicate<Row> doubling = of("doubling");
    Predicate<Row> moderate =
        doubling.and(has("contention", "moderate")).and(has("lengths", "equal"));
    Predicate<Row> extreme =
        doubling.and(has("contention", "extreme")).and(has("lengths", "log-normal"));
    List<Double> expected =
        List.of(
            worst("ratio_to_seed", makespan),
            worst("ratio_to_best_baseline", makespan),
            worst("ratio_to_bound", makespan),
            worst("ratio_to_seed", loaded.and(has("prediction", "group-mean"))),
            worst("ratio_to_seed", loaded.and(has("prediction", "perfect"))),
            worst("ratio_to_seed", doubling),
            worst("ratio_to_seed", moderate),
            worst("ratio_to_seed", extreme),
            1.0);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(checks.get(i).measured())
          .as(checks.get(i).what())
          .isCloseTo(expected.get(i), within(1e-12));
    }
  }

  private static Predicate<Row> has(String key, Object value) {
    return row -> value.equals(row.setting().get(key));
  }

  private static double worst(String metric, Predicate<Row> chosen) {
    return rows(metric, chosen.and(row -> !row.setting().containsKey("without"))).stream()
        .mapToDouble(row -> row.figure().mean())
        .max()
        .orElseThrow();
  }

  /** What was not run is not expected either. */
  @Test
  void threadsChangeNothing() {
    MaestroExperiment some =
        experiment(
            ratio -> List.of("adversarial", "a-srpt").contains(ratio.setting().get("experiment")),
            _ -> false);
    Experiment.Results one = some.run(3, 1, _ -> {});
    assertThat(some.run(3, 3, _ -> {})).isEqualTo(one);
    assertThat(one.checks()).hasSize(2);
    assertThat(one.rows()).anyMatch(row -> row.figure().ci95() > 0);
    assertThat(one.plots())
        .extracting(Plot::name)
        .containsExactly("a-srpt", "adversarial", "ablation", "ablation-adversarial");
  }

  /** Ten draws are enough for what is left out; a whole policy runs on all of them. */
  @Test
  void ablationTakesFewerDraws() {
    long ten = EXPERIMENT.steps(10);
    long twenty = EXPERIMENT.steps(20);
    assertThat(twenty).isLessThanOrEqualTo(2 * ten);
    MaestroExperiment reduced =
        new MaestroExperiment(
            StandIns.SMALL,
            maestro -> maestro,
            ratio -> ratio.setting().containsKey("without"),
            _ -> false);
    assertThat(reduced.steps(20)).isEqualTo(reduced.steps(10)).isEqualTo(10L * reduced.steps(1));
  }

  @Test
  void plotsHaveTheNumbersOfTheRows() {
    assertThat(results.plots())
        .extracting(Plot::name)
        .containsExactly(
            "sjf-bco",
            "a-srpt",
            "doubling",
            "gadget",
            "adversarial",
            "ablation",
            "ablation-adversarial");
    int[] lines = {6, 6, 2, 6, 9, 8, 3};
    int[] points = {3, 3, 3, 1, 4, 7, 15};
    for (int i = 0; i < lines.length; i++) {
      Plot plot = results.plots().get(i);
      int each = points[i];
      assertThat(plot.series()).as(plot.name()).hasSize(lines[i]);
      boolean some = plot.name().equals("ablation");
      assertThat(plot.series())
          .allMatch(s -> s.points().size() == each || (some && s.points().size() == 15))
          .allMatch(s -> !s.paper());
    }
    Plot.Series first = results.plots().getFirst().series().getFirst();
    assertThat(first.name()).isEqualTo("makespan, 10 servers");
    assertThat(first.points()).extracting(Plot.Point::x).containsExactly(15.0, 30.0, 60.0);
    assertThat(first.points().getFirst().y()).isEqualTo(results.rows().getFirst().figure().mean());
  }
}
