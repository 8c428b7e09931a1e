package io.ringmaster.cli.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.Golden;
import io.ringmaster.cli.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitContentionTest {
  private static final Path EXAMPLE = Path.of("../docs/examples/all-reduce.csv");

  @TempDir Path temporary;

  private static Object member(Map<?, ?> object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static Map<String, @Nullable Object> json(String... files) {
    String[] args = new String[files.length + 3];
    args[0] = "fit";
    args[1] = "contention";
    args[2] = "--json";
    System.arraycopy(files, 0, args, 3, files.length);
    Cli.Ran ran = Cli.good(args);
    assertThat(ran.err()).isEmpty();
    return JsonText.object(ran.out());
  }

  /** What a person sees, to the last digit. */
  @Test
  void tableAndPictureAreTheSameAsEver() throws IOException {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "contention", EXAMPLE.toString(), "--out", out.toString());
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    Golden.sameFit("fit-contention", ran, out);
  }

  /** The example was made with a = 0.7 ms, b = 0.86 ns, eta = 0.2 ns a byte and noise. */
  @Test
  void theDocumentHasEveryFigureWithItsInterval() {
    Map<String, @Nullable Object> document = json(EXAMPLE.toString());
    assertThat(document)
        .containsKeys(
            "a_s",
            "b_s_per_byte",
            "eta_s_per_byte",
            "alpha",
            "adadual_threshold",
            "r_squared",
            "relative_rmse",
            "fits",
            "degradation",
            "residuals",
            "lack_of_fit",
            "warnings",
            "version",
            "inputs")
        .containsEntry("points", 36.0)
        .containsEntry("pairs", 18.0)
        .containsEntry("intervals", "robust");
    Map<String, Double> truth =
        Map.of("a_s", 7e-4, "b_s_per_byte", 8.6e-10, "eta_s_per_byte", 2e-10, "alpha", 0.2 / 0.86);
    truth.forEach((name, value) -> {
      Map<?, ?> estimate = (Map<?, ?>) member(document, name);
      assertThat(estimate.keySet().stream().map(String::valueOf))
          .containsExactly("value", "standard_error", "ci95_low", "ci95_high");
      assertThat(value)
          .as(name)
          .isBetween((Double) member(estimate, "ci95_low"), (Double) member(estimate, "ci95_high"));
    });
    Map<?, ?> input = (Map<?, ?>) ((List<?>) member(document, "inputs")).getFirst();
    assertThat(member(input, "file")).isEqualTo("all-reduce.csv");
    assertThat(member(input, "sha256").toString()).matches("[0-9a-f]{64}");
  }

  @Test
  void theFolderHasTheDocumentAndAPicture() {
    Path out = temporary.resolve("out");
    Cli.Ran ran =
        Cli.good("fit", "contention", EXAMPLE.toString(), "--json", "--out", out.toString());
    assertThat(Cli.files(out)).containsOnlyKeys("", "fit.json", "plot.svg");
    assertThat(Cli.read(out.resolve("fit.json"))).isEqualTo(ran.out());
    Path again = temporary.resolve("again");
    Cli.good("fit", "contention", EXAMPLE.toString(), "--out", again.toString());
    assertThat(Cli.files(again)).isEqualTo(Cli.files(out));
  }

  /** Rows may be in one file or in several, and in any order. */
  @Test
  void severalFilesAreFittedTogether() {
    List<String> lines = Cli.read(EXAMPLE).lines().toList();
    Path first = temporary.resolve("first.csv");
    Path second = temporary.resolve("second.csv");
    Cli.write(first, "jobs,bytes,seconds\n" + String.join("\n", lines.subList(20, 37)) + "\n");
    // The other half in microseconds, under the names of the public measurements.
    StringBuilder micros = new StringBuilder("job_num,msg_size,avg_latency\n");
    for (String line : lines.subList(1, 20)) {
      String[] cells = line.split(",", -1);
      micros.append(cells[0]).append(',').append(cells[1]).append(',');
      micros.append(cells[2].replace("0.", "")).append('\n');
    }
    Cli.write(second, micros.toString());
    Map<String, @Nullable Object> together = json(first.toString(), second.toString());
    Map<String, @Nullable Object> one = json(EXAMPLE.toString());
    assertThat(together.get("alpha")).isEqualTo(one.get("alpha"));
    assertThat(together.get("fits")).isEqualTo(one.get("fits"));
    assertThat((List<?>) member(together, "inputs")).hasSize(2);
  }

  @Test
  void oneJobOnlyGivesTimesAgainstSize() {
    Path file = temporary.resolve("one.csv");
    Cli.write(file, "jobs,bytes,seconds\n1,1e6,1.1\n1,2e6,2.1\n1,4e6,4.1\n");
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "contention", file.toString(), "--out", out.toString());
    assertThat(ran.out())
        .contains("No alpha for a cluster file follows", "eta and alpha cannot be found");
    assertThat(Cli.read(out.resolve("plot.svg"))).contains("message, MB");
    assertThat(json(file.toString()))
        .containsEntry("alpha", null)
        .containsEntry("eta_s_per_byte", null)
        .containsEntry("pairs", 3.0);
  }

  /** There is no T(k) / T(1) then, but a line. */
  @Test
  void nothingMeasuredWithOneJob() {
    Path file = temporary.resolve("more.csv");
    Cli.write(file, "jobs,bytes,seconds\n2,1e6,4\n3,1e6,6.1\n2,2e6,8.2\n3,2e6,13\n4,2e6,18\n");
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "contention", file.toString(), "--out", out.toString());
    assertThat(ran.out()).contains("      alpha: 0.17").doesNotContain("T(k) / T(1)");
    assertThat(json(file.toString())).containsEntry("degradation", List.of());
    assertThat(Cli.read(out.resolve("plot.svg"))).contains(">taking turns: k<");
  }

  @Test
  void aNegativeAlphaIsNotForAClusterFile() {
    Path file = temporary.resolve("less.csv");
    Cli.write(file, "jobs,bytes,seconds\n1,1e6,1\n2,1e6,1.8\n3,1e6,2.6\n4,1e6,3.4\n");
    assertThat(Cli.good("fit", "contention", file.toString()).out())
        .contains(
            "      alpha: 0\n", "What is below 0", "      penalty: 0s/B\n", "eta is negative");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "fit                               ~ ringmaster fit: name what to fit: contention, speed,"
            + " loss",
        "fit contntion                     ~ 'contntion'",
        "fit contention                    ~ FILE",
        "fit contention DIR/none.csv       ~ DIR/none.csv: no such file",
        "fit contention DIR/bad.csv        ~ DIR/bad.csv:3: column seconds: '0' is not a number"
            + " above 0",
        "fit contention DIR/few.csv        ~ DIR/few.csv: 2 different pairs of jobs and bytes; at"
            + " least 3",
        "fit contention DIR/four.csv       ~ DIR/four.csv: every measurement is of 4 jobs",
        "fit contention DIR/few.csv DIR/few.csv ~ each file once",
        "fit contention DIR/few.csv --out DIR ~ exists; name another folder",
      })
  void mistakesAreOneLine(String line, String says) {
    Cli.write(temporary.resolve("bad.csv"), "jobs,bytes,seconds\n1,1e6,1\n2,1e6,0\n");
    Cli.write(temporary.resolve("few.csv"), "jobs,bytes,seconds\n1,1e6,1\n2,1e6,2\n");
    Cli.write(temporary.resolve("four.csv"), "jobs,bytes,seconds\n4,1,1\n4,2,2\n4,3,3\n");
    Cli.mistakeIsOneLine(temporary, line, says);
  }
}
