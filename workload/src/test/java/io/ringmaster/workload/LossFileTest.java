package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.loss.LossPoint;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LossFileTest {
  private static final String HEADER = "epoch,loss\n";

  @TempDir Path dir;

  record Case(String text, String message) {}

  private Map<String, List<LossPoint>> read(String text) throws IOException {
    Path file = dir.resolve("losses.csv");
    Files.writeString(file, text);
    return LossFile.read(file);
  }

  @Test
  void oneJobOrSeveral() throws IOException {
    assertThat(read("loss,lr,epoch\n0.5,x,1\n 0.25 ,y,2\n"))
        .isEqualTo(Map.of("", List.of(new LossPoint(1, 0.5), new LossPoint(2, 0.25))));
    Map<String, List<LossPoint>> two = read("job,epoch,val_loss\nb,1,3\na,1,2\nb,2,1e-3\n");
    assertThat(two.keySet()).containsExactly("b", "a");
    assertThat(two.get("b")).containsExactly(new LossPoint(1, 3), new LossPoint(2, 0.001));
  }

  @Test
  void otherNamesOfTheColumns() throws IOException {
    for (String epoch : List.of("epoch", "step", "iteration", "progress")) {
      for (String loss : List.of("loss", "train_loss", "val_loss")) {
        assertThat(read(epoch + "," + loss + "\n7,2\n"))
            .isEqualTo(Map.of("", List.of(new LossPoint(7, 2))));
      }
    }
  }

  @Test
  void compressedFilesAreReadAsTheyAre() throws IOException {
    Path file = dir.resolve("losses.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((HEADER + "1,2\n").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(LossFile.read(file)).isEqualTo(Map.of("", List.of(new LossPoint(1, 2))));
  }

  static List<Case> bad() {
    return List.of(
        new Case("", ": the file is empty; expected a header line with epoch, loss"),
        new Case(HEADER, ": no losses: there is nothing after the header line"),
        new Case(
            "epoch,accuracy\n1,2\n",
            ":1: missing column val_loss or train_loss or loss; the header has epoch, accuracy"),
        new Case(
            "epoch,step,loss\n1,2,3\n",
            ":2: columns epoch and step: which is meant? leave one, and rename the others"),
        new Case(
            "epoch,train_loss,val_loss\n1,2,3\n",
            ":2: columns train_loss and val_loss: which is meant? leave one, and rename the"
                + " others"),
        new Case(HEADER + "1,2\n-1,2\n", ":3: column epoch: '-1' is not a number, 0 or more"),
        new Case(HEADER + "1,nan\n", ":2: column loss: 'nan' is not a number, 0 or more"),
        new Case(HEADER + "1,inf\n", ":2: column loss: 'inf' is not a number, 0 or more"),
        new Case(HEADER + "1,-0.5\n", ":2: column loss: '-0.5' is not a number, 0 or more"),
        new Case(HEADER + "1,\n", ":2: column loss: is empty; expected a number, 0 or more"),
        new Case(HEADER + "1,1e300\n", ":2: column loss: '1e300' is not a number from 0 to "),
        new Case("job,epoch,loss\n,1,1\n", ":2: column job: is empty; expected the name of a job"),
        new Case(HEADER + "1\n", ":2: the row has 1 field, the header 2"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void mistakesAreNamed(Case each) throws IOException {
    Path file = dir.resolve("bad.csv");
    Files.writeString(file, each.text());
    assertThatThrownBy(() -> LossFile.read(file))
        .isInstanceOf(BadInput.class)
        .hasMessageStartingWith(file + each.message());
  }
}
