package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.registry.Experiments;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.workload.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class ReproductionReportTest {
  private static final Row MEASURED =
      new Row(
          Map.of("servers", 10),
          "fifo",
          KnownLengths.KNOWN,
          "makespan_s",
          new Statistics(1.23456, 0.5),
          940.0);
  private static final Row OTHER =
      new Row(
          Map.of("kappa", "inf"), "easy", KnownLengths.KNOWN, "jct_s", new Statistics(2, 0), null);

  /** An experiment that has its results already. */
  private record Ready(Results results) implements Experiment {
    @Override
    public String name() {
      return "ready";
    }

    @Override
    public String summary() {
      return "Two rows.";
    }

    @Override
    public String source() {
      return "A paper";
    }

    @Override
    public long steps(int draws) {
      return draws;
    }

    @Override
    public Results run(int draws, int threads, LongConsumer done) {
      return results;
    }
  }

  private static ReproductionReport report(Experiment.Results results) {
    return ReproductionReport.of(new Ready(results), 3, "1.0", results);
  }

  @Test
  void rowsAreColumnsAndWhatARowLacksIsNull() {
    String json = Json.compact(report(new Experiment.Results(List.of(MEASURED, OTHER), List.of())));
    assertThat(json)
        .contains(
            "\"settings\":[{\"name\":\"servers\",\"values\":[10,null]},"
                + "{\"name\":\"kappa\",\"values\":[null,\"inf\"]}]")
        .contains("\"policy\":[\"fifo\",\"easy\"]", "\"metric\":[\"makespan_s\",\"jct_s\"]")
        .contains("\"mean\":[1.23456,2]", "\"ci95\":[0.5,0]", "\"paper\":[940,null]")
        .contains("\"draws\":3", "\"docs\":\"docs/experiments/ready.md\"", "\"columns\":\"\"");
  }

  @Test
  void pointsKeepTheirDigitsAndOnlyNumbersArePlotted() {
    List<Plot.Point> points =
        List.of(
            new Plot.Point(1, 1.00012, 0.00034),
            new Plot.Point(2, Double.NaN, 0),
            new Plot.Point(3, 5, Double.NaN));
    Plot plot = new Plot("p", "P", "x", "y", true, List.of(new Plot.Series("fifo", points, true)));
    assertThat(Json.compact(report(new Experiment.Results(List.of(), List.of(plot)))))
        .contains("\"logarithmic\":true")
        .contains(
            "{\"name\":\"fifo\",\"paper\":true,\"x\":[1,3],\"y\":[1.00012,5],"
                + "\"halfWidth\":[0.00034,0]}");
  }

  @Test
  void checksSayWhetherTheyHold() {
    List<Experiment.Check> checks =
        List.of(new Experiment.Check("a", 0.9, 1), new Experiment.Check("b", 1.1, 1));
    ReproductionReport report = report(new Experiment.Results(List.of(), List.of(), checks));
    assertThat(report.checks().getFirst())
        .isEqualTo(new ReproductionReport.ShownCheck("a", 1.0, 0.9, true));
    assertThat(Json.compact(report)).contains("\"measured\":1.1,\"holds\":false");
  }

  @Test
  void thePageOfEveryExperimentIsThere() {
    for (Experiment experiment : Experiments.all()) {
      assertThat(Files.exists(Path.of("..", experiment.docs()))).as(experiment.docs()).isTrue();
    }
  }
}
