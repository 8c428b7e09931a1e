package io.ringmaster.experiments.philly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhillyTraceExperimentTest {
  private static final Scale SMALL = new Scale(4, 80);
  private static final AtomicLong DONE = new AtomicLong();

  @TempDir static Path folder = Path.of("");

  private static Experiment.Results results = new Experiment.Results(List.of(), List.of());

  private static PhillyTraceExperiment experiment() {
    return new PhillyTraceExperiment(SMALL, () -> folder.resolve(Sample.NAME));
  }

  @BeforeAll
  static void run() throws IOException {
    Sample.write(folder, 200);
    results = experiment().run(2, 2, done -> DONE.accumulateAndGet(done, Math::max));
  }

  /** Those of the registry, whatever they are, and nothing else. */
  @Test
  void everyPolicyHasEveryFigureOnce() {
    List<String> expected = new ArrayList<>();
    for (String prediction : List.of("", ", prediction=predicted")) {
      for (String load : List.of("0.8", "1.0", "1.2")) {
        for (PolicySpec policy : Policies.all()) {
          if (prediction.isEmpty()
              || policy.parameters().stream().anyMatch(p -> p.name().equals("estimate"))) {
            for (String metric : List.of("jct_s", "makespan_s", "jct_over_bound")) {
              expected.add("{load=%s%s} %s %s".formatted(load, prediction, policy.name(), metric));
            }
          }
        }
      }
    }
    assertThat(results.rows())
        .filteredOn(row -> !row.setting().containsKey("workload"))
        .extracting(row -> "%s %s %s".formatted(row.setting(), row.policy(), row.metric()))
        .containsExactlyElementsOf(expected);
    assertThat(results.rows()).allMatch(row -> row.paper() == null);
    assertThat(DONE.get()).isEqualTo(experiment().steps(2));
  }

  /** Three loads, five kinds of lengths, three restarts. */
  @Test
  void maestroIsBesideRivalsInEveryCell() {
    for (String metric : List.of("ratio_to_best_rival", "p99_ratio_to_best_rival")) {
      assertThat(results.rows())
          .filteredOn(row -> row.metric().equals(metric))
          .hasSize(3 * 5 * 3)
          .allMatch(row -> row.policy().equals("maestro") && row.figure().mean() > 0);
    }
    assertThat(results.rows())
        .filteredOn(row -> row.metric().equals("ratio_to_best_fifo"))
        .hasSize(3 * 3)
        .allMatch(row -> row.text("prediction").equals("reversed"));
    assertThat(results.checks()).hasSize(5);
  }

  @Test
  void nothingIsBelowTheBound() {
    assertThat(results.rows())
        .filteredOn(row -> row.metric().equals("jct_over_bound"))
        .allMatch(row -> row.figure().mean() >= 1 - 1e-9);
    assertThat(results.rows()).allMatch(row -> Double.isFinite(row.figure().ci95()));
  }

  @Test
  void threadsChangeNothing() {
    assertThat(experiment().run(2, 1, _ -> {})).isEqualTo(results);
  }

  @Test
  void plotsShowTheBestWithTheNumbersOfTheRows() {
    assertThat(results.plots())
        .extracting(Plot::name)
        .containsExactly("jct-over-bound", "jct-over-bound-predicted");
    for (Plot plot : results.plots()) {
      boolean predicted = plot.name().endsWith("predicted");
      assertThat(plot.series()).hasSize(10);
      Plot.Series best = plot.series().getFirst();
      assertThat(best.points()).extracting(Plot.Point::x).containsExactly(0.8, 1.0, 1.2);
      List<Row> own =
          results.rows().stream()
              .filter(row -> row.metric().equals("jct_over_bound"))
              .filter(row -> row.setting().containsKey("prediction") == predicted)
              .toList();
      assertThat(best.points())
          .extracting(Plot.Point::y)
          .containsExactlyElementsOf(
              own.stream()
                  .filter(row -> row.policy().equals(best.name()))
                  .map(row -> row.figure().mean())
                  .toList());
      assertThat(best.points().get(1).y())
          .isEqualTo(
              own.stream()
                  .filter(row -> row.setting().containsValue(1.0))
                  .mapToDouble(row -> row.figure().mean())
                  .min()
                  .orElseThrow());
    }
  }

  @Test
  void withoutTheTraceItSaysWhatToDo() {
    for (String none : new String[] {null, ""}) {
      assertThatThrownBy(() -> TraceFile.in(none))
          .isInstanceOf(BadInput.class)
          .hasMessage(
              "RINGMASTER_TRACES is not set; set it to the folder that holds"
                  + " philly/philly_jobs_adaptdl.csv.gz (docs/experiments/philly-trace.md says"
                  + " where it is from)");
    }
    assertThatThrownBy(() -> TraceFile.in("/nowhere"))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "/nowhere/philly/philly_jobs_adaptdl.csv.gz: there is no such file; put it there, or"
                + " set RINGMASTER_TRACES to the folder that holds"
                + " philly/philly_jobs_adaptdl.csv.gz (docs/experiments/philly-trace.md says where"
                + " it is from)");
  }

  /** A tiny cut of the real file, which is no part of this repository. */
  @Test
  void runsOnTheTraceItself() {
    String traces = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(traces != null, "RINGMASTER_TRACES is not set: skipped philly-trace");
    Experiment.Results real =
        new PhillyTraceExperiment(new Scale(64, 100), () -> TraceFile.in(traces))
            .run(1, 2, _ -> {});
    assertThat(real.rows()).hasSameSizeAs(results.rows());
    assertThat(real.rows())
        .filteredOn(row -> row.metric().equals("jct_over_bound"))
        .allMatch(row -> row.figure().mean() >= 1 - 1e-9);
  }
}
