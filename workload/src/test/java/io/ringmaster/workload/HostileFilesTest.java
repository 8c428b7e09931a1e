package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that were made to stop who reads them. */
class HostileFilesTest {
  /** Far more than is needed, far less than a loop that grows with the square of a file. */
  private static final Duration HANGS = Duration.ofSeconds(60);

  private static final int DEEP = 3000;

  @TempDir Path dir;

  record Case(String text, String message) {}

  static List<Case> cases() {
    return List.of(
        new Case("servers: " + "[".repeat(DEEP), "f:1:109: nested deeper than 100 levels"),
        new Case("servers: " + "{a: ".repeat(DEEP), "f:1:406: nested deeper than 100 levels"),
        new Case("- ".repeat(DEEP), "f:1:201: nested deeper than 100 levels"),
        new Case("? ".repeat(DEEP), "f:1:201: nested deeper than 100 levels"),
        new Case("servers: &a [*a]", "f:1:14: the alias '*a' is inside what it stands for"),
        new Case(laughs(), "f:17:9: with all aliases written out, there are more than 64 MiB"),
        new Case(
            "servers: [{count: 10000000, gpus: 1}]",
            "f:1:19: count: '10000000' is not a whole number from 1 to 1000000"),
        new Case(
            "servers: [{count: 999999, gpus: 1}, {count: 2, gpus: 1}]",
            "f:1:45: more than 1000000 servers in all"));
  }

  /** Each line is twice the one before. */
  private static String laughs() {
    StringBuilder text = new StringBuilder("- &a0 " + "x".repeat(1000) + "\n");
    for (int i = 1; i < 40; i++) {
      text.append("- &a%d [*a%d, *a%d]\n".formatted(i, i - 1, i - 1));
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void oneLineWithThePlaceAndTheLimit(Case bad) throws IOException {
    Path file = dir.resolve("f");
    Files.writeString(file, bad.text);
    assertThat(Same.message(dir, () -> ClusterFile.read(file))).isEqualTo(bad.message);
  }

  static Stream<String> longTexts() {
    int length = 16_000_000;
    return Stream.of(
        "name: " + "a".repeat(length),
        "name: \"" + "a ".repeat(length / 2) + "\"",
        "# " + "a".repeat(length));
  }

  @ParameterizedTest
  @MethodSource("longTexts")
  void aLongFileTakesAsLongAsItIs(String text) throws IOException {
    Path file = dir.resolve("f");
    Files.writeString(file, text + "\nservers: [{gpus: 1}]\n");
    assertTimeoutPreemptively(
        HANGS, () -> assertThat(ClusterFile.read(file).totalGpus()).isEqualTo(1));
  }

  @Test
  void aSmallFileThatUnpacksToAHugeOne() throws IOException {
    Path file = dir.resolve("cluster.yaml.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      byte[] blanks = new byte[1 << 20];
      Arrays.fill(blanks, (byte) '\n');
      for (int i = 0; i < 100; i++) {
        out.write(blanks);
      }
    }
    assertThat(Same.message(dir, () -> ClusterFile.read(file)))
        .isEqualTo("cluster.yaml.gz: longer than 64 MiB");
  }

  @Test
  void aliasesAsPeopleUseThem() throws IOException {
    Path file = dir.resolve("f");
    Files.writeString(
        file, "servers:\n- &big {gpus: 8}\n" + "- *big\n".repeat(100) + "- {gpus: 1}\n");
    assertThat(ClusterFile.read(file).totalGpus()).isEqualTo(101 * 8 + 1);
  }

  @Test
  void aSettingIsATextIfItIsNothingElse() {
    String deep = "[".repeat(DEEP);
    assertThat(YamlFile.value(deep)).isEqualTo(deep);
    assertThat(YamlFile.value("[1, 2]")).isEqualTo(List.of(1, 2));
    assertThat(YamlFile.value("")).isNull();
  }
}
