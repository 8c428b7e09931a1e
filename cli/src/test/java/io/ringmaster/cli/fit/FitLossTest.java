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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FitLossTest {
  private static final Path EXAMPLE = Path.of("../docs/examples/losses.csv");

  @TempDir Path temporary;

  private static Object member(Map<?, ?> object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static Map<?, ?> job(String json, int index) {
    return (Map<?, ?>) ((List<?>) member(JsonText.object(json), "jobs")).get(index);
  }

  private Path file(String name, String text) {
    Path file = temporary.resolve(name);
    Cli.write(file, text);
    return file;
  }

  /** What a person sees, to the last digit. */
  @Test
  void tableAndPictureAreTheSameAsEver() throws IOException {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "loss", EXAMPLE.toString(), "--out", out.toString());
    assertThat(ran.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(81));
    Golden.sameFit("fit-loss", ran, out);
  }

  /**
   * The example is 1 / (0.06 k + 0.4) + 0.35 with noise of 2 %. From the 26th to the 36th epoch
   * that falls by 0.123, less than 0.05 of its 2.52 after the first; from the 25th to the 35th by
   * 0.129.
   */
  @Test
  void theDocumentHasTheTruthInItsInterval() {
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "loss", EXAMPLE.toString(), "--json", "--out", out.toString());
    assertThat(Cli.files(out)).containsOnlyKeys("", "fit.json", "plot.svg");
    assertThat(Cli.read(out.resolve("fit.json"))).isEqualTo(ran.out());
    assertThat(JsonText.object(ran.out()))
        .containsEntry("window_epochs", 10.0)
        .containsEntry("tolerance", 0.05)
        .containsEntry("most_epochs", 200.0);
    Map<?, ?> job = job(ran.out(), 0);
    assertThat(member(job, "job")).isEqualTo("losses.csv");
    assertThat(member(job, "epochs_done")).isEqualTo(30.0);
    Map<?, ?> remaining = (Map<?, ?>) member(job, "remaining_epochs");
    assertThat(36.0 - 30)
        .isBetween((Double) member(remaining, "ci95_low"), (Double) member(remaining, "ci95_high"));
    assertThat((List<?>) member(job, "backtest")).hasSize(4);
  }

  @Test
  void severalJobsAndFiles() {
    Path one =
        file(
            "one.csv",
            "job,step,val_loss\nb,1,3\nb,2,2\nb,3,1.6\na,1,1\nb,4,1.4\na,2,1\na,3,1\nb,5,1.3\n");
    Path two = file("two.csv", "epoch,loss\n1,3\n2,2\n3,1.6\n4,1.4\n5,1.3\n");
    Path out = temporary.resolve("out");
    Cli.Ran ran = Cli.good("fit", "loss", one.toString(), two.toString(), "--out", out.toString());
    assertThat(ran.out())
        .contains("one.csv: b: 5 losses, 5 epochs done")
        .contains("one.csv: a: 3 losses, 3 epochs done")
        .contains("two.csv: 5 losses, 5 epochs done");
    assertThat(Cli.files(out))
        .containsOnlyKeys("", "fit.json", "plot-1.svg", "plot-2.svg", "plot-3.svg");
    Map<?, ?> steps =
        job(Cli.good("fit", "loss", one.toString(), "--json", "--steps-per-epoch", "0.5").out(), 0);
    assertThat(member(steps, "epochs_done")).isEqualTo(10.0);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "1,2                             ~ too few points for a curve: 20 more epochs are a guess",
        "1,1;2,2;3,3                     ~ the loss does not fall: 20 more epochs are a guess",
        "1,3;2,2;3,1.5;4,1.3             ~ only 4 epochs are known: expect the forecast to move",
        "1,9;2,8.8;3,8.6;4,8.4;5,8.2     ~ not converging: the curve",
        "1,9;2,5;3,3;4,2;5,1;6,7;7,7;8,7;9,7 ~ the loss has risen again from its lowest, 1.000, to",
        "1,9;2,1;3,8;4,1;5,9;6,2         ~ the points are off the curve by",
        "1,3;300,2;500,1.9               ~ more epochs are done, 500, than the most, 20",
      })
  void doubtsAreInWords(String rows, String says) {
    Path file = file("doubt.csv", "epoch,loss\n" + rows.strip().replace(";", "\n") + "\n");
    Path out = temporary.resolve("out");
    Cli.Ran ran =
        Cli.good(
            "fit",
            "loss",
            file.toString(),
            "--out",
            out.toString(),
            "--most",
            says.startsWith("too") || says.contains("does not") ? "200" : "20",
            "--tolerance",
            "0.02");
    assertThat(ran.out()).contains("Mind:\n- ").contains(says);
    assertThat(Cli.read(out.resolve("plot.svg"))).contains("</svg>");
  }

  @Test
  void aTargetInsteadOfFlatness() {
    Cli.Ran ran = Cli.good("fit", "loss", EXAMPLE.toString(), "--target", "0.6");
    // 1 / (0.06 k + 0.4) = 0.25 at k = 60.
    assertThat(ran.out()).contains("Done when the loss is 0.6000: after ");
    Map<?, ?> job =
        job(Cli.good("fit", "loss", EXAMPLE.toString(), "--target", "0.6", "--json").out(), 0);
    assertThat((Double) member(job, "total_epochs")).isBetween(50.0, 70.0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "fit loss                                  ~ FILE",
        "fit loss DIR/none.csv                     ~ DIR/none.csv: no such file",
        "fit loss DIR/bad.csv                      ~ DIR/bad.csv:3: column loss: 'nan' is not a"
            + " number, 0 or more",
        "fit loss DIR/good.csv DIR/good.csv        ~ each file once",
        "fit loss DIR/good.csv --tolerance 0       ~ --tolerance 0.0 is not a share of the greatest"
            + " loss, above 0 and below 1",
        "fit loss DIR/good.csv --window 0          ~ --window 0 is not a whole number of epochs",
        "fit loss DIR/good.csv --target -1         ~ --target -1.0 is not a loss above 0",
        "fit loss DIR/good.csv --target 1 --window 5 ~ --target or --tolerance and --window",
        "fit loss DIR/good.csv --most 0            ~ --most 0 is not a whole number from 1 on",
        "fit loss DIR/good.csv --steps-per-epoch 0 ~ --steps-per-epoch 0.0 is not a number above 0",
        "fit loss DIR/good.csv --out DIR           ~ exists; name another folder",
      })
  void mistakesAreOneLine(String line, String says) {
    file("bad.csv", "epoch,loss\n1,2\n2,nan\n");
    file("good.csv", "epoch,loss\n1,2\n2,1\n3,0.8\n");
    Cli.mistakeIsOneLine(temporary, line, says);
  }
}
