package io.ringmaster.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Row;
import io.ringmaster.experiments.registry.Experiments;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceCommandTest {
  @TempDir Path temporary;

  @Test
  void listsTheExperiments() {
    assertThat(Cli.good("reproduce").out())
        .contains("sjf-bco\n", "MobiHoc 2022", "ada-srsf\n", "gadget\n", "doubling\n", "maestro\n");
  }

  @Test
  void documentHasWhatTheContractNames() {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("reproduce", "sjf-bco", "--draws", "1", "--json", "--out", "" + out);
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    assertThat(document).containsEntry("experiment", "sjf-bco").containsKey("version");
    assertThat(document.get("draws")).isEqualTo(1.0);
    List<?> rows = (List<?>) Objects.requireNonNull(document.get("rows"));
    for (Object each : rows) {
      Map<?, ?> row = (Map<?, ?>) each;
      assertThat(row.keySet().stream().map(String::valueOf))
          .containsExactly("setting", "policy", "lengths", "metric", "mean", "ci95", "paper");
      assertThat(String.valueOf(row.get("metric"))).isIn("makespan_slots", "completion_slots");
    }
    assertThat(ran.out()).contains("\"paper\" : 940", "\"paper\" : null");
    Map<String, String> files = Cli.files(out);
    assertThat(files.get("results.json")).isEqualTo(ran.out());
    assertThat(files).containsKeys("run.json", "makespan-by-cap.svg", "makespan-by-kappa.svg");
  }

  /** The paper's numbers were not to hand, so none may be shown. */
  @Test
  void gadgetHasWhatTheContractNames() {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("reproduce", "gadget", "--draws", "1", "--json", "--out", "" + out);
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    List<?> rows = (List<?>) Objects.requireNonNull(document.get("rows"));
    Set<String> metrics = new TreeSet<>();
    for (Object each : rows) {
      Map<?, ?> row = (Map<?, ?>) each;
      metrics.add(String.valueOf(row.get("metric")));
      Map<?, ?> setting = (Map<?, ?>) Objects.requireNonNull(row.get("setting"));
      assertThat(setting.keySet().stream().map(String::valueOf))
          .contains("jobs", "servers", "utility", "weight", "load", "horizon", "network");
      assertThat(row.get("paper")).isNull();
    }
    assertThat(metrics)
        .containsExactlyInAnyOrder("utility", "finished_share", "completion_s", "bound_ratio");
    assertThat(Cli.files(out)).containsKeys("utility-by-load.svg", "bounds-by-load.svg");
  }

  /** Of the paper's tables nothing but memory was to hand, so none may be shown either. */
  @Test
  void doublingHasWhatTheContractNames() {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("reproduce", "doubling", "--draws", "1", "--json", "--out", "" + out);
    Map<String, @Nullable Object> document = JsonText.object(ran.out());
    List<?> rows = (List<?>) Objects.requireNonNull(document.get("rows"));
    Set<String> cells = new TreeSet<>();
    for (Object each : rows) {
      Map<?, ?> row = (Map<?, ?>) each;
      Map<?, ?> setting = (Map<?, ?>) Objects.requireNonNull(row.get("setting"));
      cells.add(setting + " " + row.get("policy"));
      assertThat(row.get("metric")).isEqualTo("completion_hours");
      assertThat(row.get("paper")).isNull();
    }
    assertThat(cells).hasSize(rows.size());
    for (String contention : List.of("extreme", "moderate", "none")) {
      for (String policy :
          List.of(
              "doubling",
              "doubling-exploratory",
              "optimus",
              "fixed-8",
              "fixed-4",
              "fixed-2",
              "fixed-1")) {
        assertThat(cells).contains("{contention=" + contention + "} " + policy);
      }
    }
    assertThat(Cli.files(out)).containsKeys("completion-by-gap.svg", "completion-by-restart.svg");
  }

  @Test
  void tableShowsThePapersFigures() {
    String table = Cli.good("reproduce", "sjf-bco", "--draws", "1", "--threads", "1").out();
    assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    assertThat(table)
        .contains("one draw, from which no interval can be told", "makespan_slots")
        .contains("kappa 8, reading literal", "535")
        .doesNotContain("±");
  }

  /** Where the paper gives no figure at all, nothing stands beside ours. */
  @Test
  void tableHasNoColumnForAPaperWithoutFigures() {
    Experiment.Results results =
        new Experiment.Results(
            List.of(
                new Row(
                    Map.of("load", 1),
                    "fifo",
                    KnownLengths.KNOWN,
                    "first",
                    new Statistics(2, 0.5),
                    null),
                new Row(
                    Map.of("load", 1),
                    "fifo",
                    KnownLengths.KNOWN,
                    "second",
                    new Statistics(3, 0),
                    null)),
            List.of());
    assertThat(ReproduceText.of(Experiments.named("gadget"), 7, results, 80))
        .doesNotContain("paper's figure beside it")
        .contains(
            """
            policy  lengths       first      second
            ------  -------  ----------  ----------
            load 1
              fifo  known    2.00 ±0.50  3.00 ±0.00
            """);
  }

  @Test
  void mistakesAreOneLine() {
    Cli.Ran unknown = Cli.run("reproduce", "sjf-bko");
    assertThat(unknown.status()).isEqualTo(ExitStatus.BAD_INPUT);
    assertThat(unknown.err())
        .contains("no experiment is called 'sjf-bko'", "sjf-bco")
        .hasLineCount(1);
    Cli.Ran none = Cli.run("reproduce", "sjf-bco", "--draws", "0");
    assertThat(none.status()).isEqualTo(ExitStatus.BAD_INPUT);
    assertThat(none.err()).contains("--draws").hasLineCount(1);
  }
}
