package io.ringmaster.cli.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.Golden;
import io.ringmaster.cli.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitSpeedTest {
  private static final String EXAMPLE = "../docs/examples/step-times.csv";

  @TempDir Path temporary;

  private static Object member(Map<?, ?> object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static Map<?, ?> model(Map<String, @Nullable Object> document, int index) {
    return (Map<?, ?>) ((List<?>) member(document, "models")).get(index);
  }

  /** What a person sees, to the last digit. */
  @Test
  void tableAndPictureAreTheSameAsEver() throws IOException {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "speed", EXAMPLE, "--hold-out", "0.33", "--out", out.toString());
    // Two lines are rows of a file, to be copied as they are.
    assertThat(ran.out().lines().filter(line -> line.strip().contains(" ")))
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    Golden.sameFit("fit-speed", ran, out);
  }

  /** The example was made with these numbers and noise of 3 %. */
  @Test
  void theDocumentHasTheParametersWithTheirIntervals() {
    Map<String, @Nullable Object> document =
        JsonText.object(Cli.good("fit", "speed", EXAMPLE, "--json").out());
    assertThat(document)
        .containsKeys("models", "hold_out", "version", "inputs")
        .containsEntry("form", "placed")
        .containsEntry("all_reduce", "ring");
    Map<?, ?> parameters = (Map<?, ?>) member(model(document, 0), "parameters");
    Map<String, Double> truth =
        Map.of(
            "seconds_per_sample", 0.0021,
            "compute_s", 0.018,
            "startup_s", 0.004,
            "across_step_s", 0.0025,
            "neighbour_s", 0.004,
            "overlap", 1.6);
    truth.forEach((name, value) -> {
      Map<?, ?> estimate = (Map<?, ?>) member(parameters, name);
      assertThat(value)
          .as(name)
          .isBetween((Double) member(estimate, "ci95_low"), (Double) member(estimate, "ci95_high"));
    });
  }

  @Test
  void theFolderHasAModelsFileThatASimulationTakes() {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "speed", EXAMPLE, "--json", "--out", out.toString());
    assertThat(Cli.files(out)).containsOnlyKeys("", "fit.json", "plot.svg", "models.csv");
    assertThat(Cli.read(out.resolve("fit.json"))).isEqualTo(ran.out());
    Path jobs = temporary.resolve("jobs.csv");
    Cli.write(jobs, "job_id,submit_s,gpus,model,iterations\na,0,8,step-times,1000\n");
    Path cluster = temporary.resolve("cluster.yaml");
    Cli.write(
        cluster,
        """
        servers:
          - count: 2
            gpus: 4
        network:
          model: contention
        """);
    Cli.good(
        "simulate",
        jobs.toString(),
        "--cluster",
        cluster.toString(),
        "--policy",
        "fifo",
        "--models",
        out.resolve("models.csv").toString());
    Path again = temporary.resolve("again");
    Cli.good("fit", "speed", EXAMPLE, "--out", again.toString());
    assertThat(Cli.files(again)).isEqualTo(Cli.files(out));
  }

  @Test
  void eachModelHasItsFit() throws IOException {
    Path two = temporary.resolve("two.csv");
    Cli.write(two, "model,workers,servers,seconds\nb,1,1,1\na,1,1,2\nb,2,1,3\na,4,2,3\n");
    for (String folder : List.of("x", "y")) {
      Files.createDirectory(temporary.resolve(folder));
      Cli.write(temporary.resolve(folder).resolve("t.csv"), "placement,seconds\n1,1\n2,1.5\n");
    }
    Map<String, @Nullable Object> document =
        JsonText.object(
            Cli.good(
                    "fit",
                    "speed",
                    "--json",
                    "--form",
                    "paper",
                    "--all-reduce",
                    "halving-doubling",
                    "--hold-out",
                    "0.5",
                    two.toString(),
                    temporary.resolve("x/t.csv").toString(),
                    temporary.resolve("y/t.csv").toString())
                .out());
    assertThat((List<?>) member(document, "models"))
        .map(m -> member((Map<?, ?>) m, "model"))
        .isEqualTo(List.of("a", "b", "x/t", "y/t"));
    assertThat(member(model(document, 0), "warnings").toString())
        .contains("two numbers of workers", "too few places to hold some out");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "fit speed                               ~ FILE",
        "fit speed DIR/none.csv                  ~ DIR/none.csv: no such file",
        "fit speed DIR/bad.csv                   ~ DIR/bad.csv:2: column seconds: '0' is not",
        "fit speed DIR/few.csv DIR/few.csv       ~ each file once",
        "fit speed DIR/few.csv --form new        ~ --form new: expected one of placed, paper",
        "fit speed DIR/few.csv --all-reduce tree ~ --all-reduce tree: expected one of ring,",
        "fit speed DIR/few.csv --hold-out 1      ~ --hold-out 1.0: expected a share above 0",
        "fit speed DIR/few.csv --out DIR         ~ exists; name another folder",
      })
  void mistakesAreOneLine(String line, String says) {
    Cli.write(temporary.resolve("bad.csv"), "placement,seconds\n1,0\n");
    Cli.write(temporary.resolve("few.csv"), "placement,seconds\n1,1\n");
    Cli.mistakeIsOneLine(temporary, line, says);
  }
}
