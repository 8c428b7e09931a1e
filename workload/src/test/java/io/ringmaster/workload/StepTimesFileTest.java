package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.speed.StepTime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepTimesFileTest {
  private static final String HEADER = "workers,servers,seconds\n";

  @TempDir Path dir;

  record Case(String text, String message) {}

  private List<StepTime> one(String text) throws IOException {
    Path file = dir.resolve("times.csv");
    Files.writeString(file, text);
    return StepTimesFile.read(file).getOrDefault("", List.of());
  }

  @Test
  void ourNamesAndThoseOfThePublicProfiles() throws IOException {
    assertThat(one("seconds, host,servers,workers,batch\n0.5,x,2,5,16\n"))
        .containsExactly(new StepTime(5, 2, 3, 16, 0.5));
    assertThat(one("workers,seconds\n4,2\n")).containsExactly(new StepTime(4, 1, 4, 1, 2));
    assertThat(one("num_nodes,num_replicas,local_bsz,step_time\n1,4,8.5,2\n"))
        .containsExactly(new StepTime(4, 1, 4, 8.5, 2));
    assertThat(one("placement,local_bsz,step_time,sync_time\n1434,10,0.7,0.1\n3,10,0.2,0\n"))
        .containsExactly(new StepTime(12, 4, 4, 10, 0.7), new StepTime(3, 1, 3, 10, 0.2));
  }

  @Test
  void placementsOfMoreThanNine() throws IOException {
    assertThat(one("placement,seconds\n8-8-4,1\n16+16,2\n12 3,3\n7,4\n"))
        .containsExactly(
            new StepTime(20, 3, 8, 1, 1),
            new StepTime(32, 2, 16, 1, 2),
            new StepTime(15, 2, 12, 1, 3),
            new StepTime(7, 1, 7, 1, 4));
  }

  @Test
  void modelsAreApart() throws IOException {
    Path file = dir.resolve("times.csv");
    Files.writeString(file, "model,workers,servers,seconds\nb,1,1,1\na,1,1,2\nb,2,1,3\n");
    assertThat(StepTimesFile.read(file))
        .containsOnlyKeys("b", "a")
        .containsEntry("b", List.of(new StepTime(1, 1, 1, 1, 1), new StepTime(2, 1, 2, 1, 3)));
  }

  @Test
  void compressedFilesAreReadAsTheyAre() throws IOException {
    Path file = dir.resolve("times.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((HEADER + "1,1,2\n").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(StepTimesFile.read(file)).containsEntry("", List.of(new StepTime(1, 1, 1, 1, 2)));
  }

  static List<Case> bad() {
    String placement =
        " is not a placement: a digit for each server, as 1434, or numbers joined by -, + or"
            + " spaces, as 8-8-4";
    return List.of(
        new Case("", ": the file is empty; expected a header line with workers, seconds"),
        new Case(HEADER, ": no measurements: there is nothing after the header line"),
        new Case(
            "servers,seconds\n1,2\n",
            ":1: missing column placement or num_replicas or workers; the header has servers,"
                + " seconds"),
        new Case(
            "placement,seconds,step_time\n1,2,3\n",
            ":2: columns step_time and seconds mean the same; leave one out"),
        new Case(
            "placement,workers,seconds\n1,2,3\n",
            ":2: column placement says what column workers says; leave one out"),
        new Case(
            HEADER + "1,1,3\n0,1,3\n",
            ":3: column workers: '0' is not a whole number from 1 to 1000000"),
        new Case(
            HEADER + "2,1.5,3\n",
            ":2: column servers: '1.5' is not a whole number from 1 to 1000000"),
        new Case(
            HEADER + "2,3,3\n",
            ":2: column servers: 3 servers for 2 workers; expected at least one worker on each"),
        new Case(HEADER + "1,1,0\n", ":2: column seconds: '0' is not a number above 0"),
        new Case(
            HEADER + "1,1,1e10\n",
            ":2: column seconds: '1e10' is not a number above 0, up to 1000000000"),
        new Case(
            "placement,seconds,batch\n1,1,\n",
            ":2: column batch: is empty; expected a number above 0"),
        new Case("placement,seconds\n104,1\n", ":2: column placement: '104'" + placement),
        new Case("placement,seconds\n4--,1\n", ":2: column placement: '4--'" + placement),
        new Case("placement,seconds\n4x,1\n", ":2: column placement: '4x'" + placement),
        new Case("placement,seconds,model\n4,1,\n", ":2: column model: is empty; expected a name"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void oneLineThatSaysWhatIsWrong(Case bad) throws IOException {
    Path file = dir.resolve("times.csv");
    Files.writeString(file, bad.text());
    assertThatThrownBy(() -> StepTimesFile.read(file))
        .isInstanceOf(BadInput.class)
        .hasMessage(file + bad.message());
  }
}
