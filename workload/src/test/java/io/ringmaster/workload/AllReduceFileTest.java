package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.AllReduceTime;
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

class AllReduceFileTest {
  private static final String HEADER = "jobs,bytes,seconds\n";

  @TempDir Path dir;

  record Case(String text, String message) {}

  @Test
  void ourNamesAndThoseOfThePublicMeasurements() throws IOException {
    Path file = dir.resolve("times.csv");
    Files.writeString(file, "seconds, host,bytes,jobs\n0.5,x,1e6,2\n 0.25 ,y,1000000,1\n");
    assertThat(AllReduceFile.read(file))
        .containsExactly(new AllReduceTime(2, 1e6, 0.5), new AllReduceTime(1, 1e6, 0.25));
    // Microseconds.
    Files.writeString(file, "job_num,msg_size,avg_latency\n1,4,250000\n2,4,500000.5\n");
    assertThat(AllReduceFile.read(file))
        .containsExactly(new AllReduceTime(1, 4, 0.25), new AllReduceTime(2, 4, 0.5000005));
    Files.writeString(file, "job_num,bytes,seconds\n1,4,2\n");
    assertThat(AllReduceFile.read(file)).containsExactly(new AllReduceTime(1, 4, 2));
  }

  @Test
  void compressedFilesAreReadAsTheyAre() throws IOException {
    Path file = dir.resolve("times.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((HEADER + "1,4,2\n").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(AllReduceFile.read(file)).containsExactly(new AllReduceTime(1, 4, 2));
  }

  static List<Case> bad() {
    return List.of(
        new Case("", ": the file is empty; expected a header line with jobs, bytes, seconds"),
        new Case(HEADER, ": no measurements: there is nothing after the header line"),
        new Case(
            "jobs,size,seconds\n1,2,3\n",
            ":1: missing column msg_size or bytes; the header has jobs, size, seconds"),
        new Case(
            "jobs,bytes,seconds,avg_latency\n1,2,3,3\n",
            ":2: columns avg_latency and seconds mean the same; leave one out"),
        new Case(
            HEADER + "1,2,3\n0,2,3\n",
            ":3: column jobs: '0' is not a whole number from 1 to 1000000"),
        new Case(
            HEADER + "1.5,2,3\n", ":2: column jobs: '1.5' is not a whole number from 1 to 1000000"),
        new Case(HEADER + "1,0,3\n", ":2: column bytes: '0' is not a number above 0"),
        new Case(HEADER + "1,10MiB,3\n", ":2: column bytes: '10MiB' is not a number above 0"),
        new Case(
            HEADER + "1,1e16,3\n",
            ":2: column bytes: '1e16' is not a number above 0, up to 1000000000000000"),
        new Case(HEADER + "1,2,-3\n", ":2: column seconds: '-3' is not a number above 0"),
        new Case(HEADER + "1,2,NaN\n", ":2: column seconds: 'NaN' is not a number above 0"),
        new Case(HEADER + "1,2,\n", ":2: column seconds: is empty; expected a number above 0"),
        new Case(HEADER + "1,2\n", ":2: the row has 2 fields, the header 3"),
        new Case(
            "job_num,msg_size,avg_latency\n1,2,Infinity\n",
            ":2: column avg_latency: 'Infinity' is not a number above 0"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void mistakesAreNamedWithTheirPlace(Case bad) throws IOException {
    Path file = dir.resolve("times.csv");
    Files.writeString(file, bad.text());
    assertThatThrownBy(() -> AllReduceFile.read(file))
        .isInstanceOf(BadInput.class)
        .hasMessage(file + bad.message());
  }
}
