package io.ringmaster.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.Golden;
import io.ringmaster.cli.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredictTest {
  private static final String EXAMPLE = "../docs/examples/recurring.csv";

  @TempDir Path temporary;

  private static Object member(Map<?, ?> object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  /** What a person sees, to the last digit. */
  @Test
  void tableAndPictureAreTheSameAsEver() throws IOException {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("predict", EXAMPLE, "--trees", "30", "--out", out.toString());
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    Golden.sameFit("predict", ran, out);
    assertThat(Cli.files(out))
        .containsOnlyKeys("", "predict.json", "plot.svg", "train.csv", "test.csv", "run.json");
    assertThat(Cli.read(out.resolve("train.csv")).lines().count()).isBetween(380L, 385L);
    assertThat(Cli.read(out.resolve("test.csv")).lines().count()).isEqualTo(97);
  }

  /** The example's runs have a spread of 25 %, and grow with their GPUs. */
  @Test
  void theForestIsBetterThanTheOthers() {
    Map<String, @Nullable Object> document =
        JsonText.object(Cli.good("predict", EXAMPLE, "--json").out());
    assertThat(document)
        .containsEntry("length", "duration_s")
        .containsKeys("jobs", "first", "learnt", "tested", "nodes", "covered", "version", "inputs");
    Map<?, ?> methods = (Map<?, ?>) member(document, "methods");
    double forest = (Double) member((Map<?, ?>) member(methods, "forest"), "mean_log_ratio");
    assertThat(forest).isBetween(0.15, 0.4);
    for (String other : new String[] {"global_mean", "user_median", "group_mean", "group_last"}) {
      assertThat((Double) member((Map<?, ?>) member(methods, other), "mean_log_ratio"))
          .isGreaterThan(1.5 * forest);
    }
  }

  /** A forest that was saved predicts what it predicted before. */
  @Test
  void aForestIsSavedAndLoaded() {
    Path forest = temporary.resolve("forest.bin");
    Path plot = temporary.resolve("plot.svg");
    String saved =
        Cli.good(
                "predict",
                EXAMPLE,
                "--trees",
                "7",
                "--save",
                forest.toString(),
                "--plot",
                plot.toString())
            .out();
    assertThat(Cli.good("predict", EXAMPLE, "--load", forest.toString()).out()).isEqualTo(saved);
    assertThat(Cli.read(plot)).startsWith("<svg");
  }

  @Test
  void iterationsArePredictedToo() {
    Path jobs = temporary.resolve("jobs.csv");
    StringBuilder rows = new StringBuilder("job_id,submit_s,gpus,iterations,group\n");
    for (int i = 0; i < 40; i++) {
      rows.append("j%d,%d,1,%d,g%d\n".formatted(i, 100 * i, i % 2 == 0 ? 50 : 5000, i % 2));
    }
    Cli.write(jobs, rows.toString());
    String table = Cli.good("predict", jobs.toString(), "--trees", "10", "--train", "0.9").out();
    assertThat(table.replaceAll("\\s+", " "))
        .contains(
            "predicted the 4 after them, in iterations", "off by, iterations", "Verdict: the");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "predict                                ~ JOBS",
        "predict DIR/none.csv                   ~ DIR/none.csv: no such file",
        "predict DIR/one.csv                    ~ DIR/one.csv: 1 job; expected some to learn from",
        "predict DIR/mixed.csv                  ~ job a has a duration_s and job b has not",
        "predict DIR/long.csv                   ~ none of the first 1 jobs had ended when",
        "predict DIR/one.csv --train 1          ~ --train 1.0: expected a share above 0 and below"
            + " 1",
        "predict DIR/one.csv --trees 0          ~ --trees 0: expected 1 to 1000",
        "predict DIR/one.csv --load DIR/none    ~ DIR/none: no such file",
        "predict DIR/one.csv --load DIR/one.csv ~ DIR/one.csv: is no saved forest; expected what",
        "predict DIR/one.csv --out DIR          ~ exists; name another folder",
      })
  void mistakesAreOneLine(String line, String says) {
    Cli.write(temporary.resolve("one.csv"), "job_id,submit_s,gpus,duration_s\na,0,1,5\n");
    Cli.write(
        temporary.resolve("mixed.csv"),
        "job_id,submit_s,gpus,duration_s,iterations\na,0,1,5,\nb,0,1,,5\n");
    Cli.write(
        temporary.resolve("long.csv"), "job_id,submit_s,gpus,duration_s\na,0,1,50\nb,9,1,5\n");
    Cli.mistakeIsOneLine(temporary, line, says);
  }
}
