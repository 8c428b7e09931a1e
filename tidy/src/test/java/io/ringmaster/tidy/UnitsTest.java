package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** systemd takes our units without a word, and rates them as the documentation says or better. */
class UnitsTest {
  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ringmaster.service", "ringmaster-standby.service"})
  void areGood(String name) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(ANALYZE), "there is no " + ANALYZE);
    String unit = Repository.read(Repository.ROOT.resolve("deploy/systemd").resolve(name));
    // It looks whether the program and the page of the manual are there. They are not.
    Path file = folder.resolve(name);
    Files.writeString(
        file,
        unit.replace("/usr/bin/ringmaster", "/bin/true")
            .replace("Documentation=man:ringmaster-serve(1)\n", ""));
    assertThat(said("verify", file.toString())).isEmpty();
    assertThat(unit).contains("KillMode=process");
    // A threshold of 27 is an exposure of 2.7.
    said("security", "--offline=true", "--threshold=27", file.toString());
  }

  private static String said(String... words) throws IOException, InterruptedException {
    String[] command = new String[words.length + 1];
    command[0] = ANALYZE.toString();
    System.arraycopy(words, 0, command, 1, words.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text;
  }
}
