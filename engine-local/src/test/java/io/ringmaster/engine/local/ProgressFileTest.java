package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressFileTest {
  @TempDir Path folder;

  private double after(ProgressFile progress, String text) throws IOException {
    Files.writeString(
        folder.resolve("progress"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return progress.done();
  }

  @Test
  void theLastCompleteLineCounts() throws IOException {
    ProgressFile progress = new ProgressFile(folder.resolve("progress"), folder);
    assertThat(progress.done()).isNaN();
    assertThat(after(progress, "{\"done\": 0.1}")).isNaN();
    assertThat(after(progress, "\n")).isEqualTo(0.1);
    assertThat(after(progress, "{\"done\": 0.2}\n{\"done\": 0.3, \"loss\": 1}\n")).isEqualTo(0.3);
    assertThat(after(progress, "{\"done\": 0.")).isEqualTo(0.3);
    assertThat(after(progress, "4}\n")).isEqualTo(0.4);
  }

  @Test
  void whatMakesNoSenseSaysNothing() throws IOException {
    ProgressFile progress = new ProgressFile(folder.resolve("progress"), folder);
    assertThat(after(progress, "{\"done\": 0.5}\n\n")).isEqualTo(0.5);
    for (String line :
        new String[] {
          "hello", "{\"done\": 1.5}", "{\"done\": -1}", "{\"done\": \"0.9\"}", "{\"done\": NaN}",
          "{\"done\"", "[\"done\"]", "{\"loss\": 2}", "\u0000\u00ff", "{\"done\": 1e400}"
        }) {
      assertThat(after(progress, line + "\n")).as(line).isEqualTo(0.5);
    }
    assertThat(new ProgressFile(folder.resolve("progress"), folder).done()).isEqualTo(0.5);
  }

  @Test
  void onlyTheEndOfALongFileIsRead() throws IOException {
    ProgressFile progress = new ProgressFile(folder.resolve("progress"), folder);
    String line = "{\"done\": 0.25, \"note\": \"%s\"}\n";
    assertThat(after(progress, line.formatted("x".repeat(1000)).repeat(100))).isEqualTo(0.25);
    // One line that is longer than what is read: its end is not taken for a line.
    assertThat(after(progress, line.formatted("\\n{\\\"done\\\": 1}" + "x".repeat(20_000))))
        .isEqualTo(0.25);
    assertThat(after(progress, "{\"done\": 0.75}\n")).isEqualTo(0.75);
  }

  @Test
  void whatAnEarlierAttemptSaidIsNotItsOwn() throws IOException {
    Path file = folder.resolve("progress");
    Files.writeString(file, "{\"done\": 0.5}\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    Path launched = Files.writeString(folder.resolve("plan"), "");
    Files.setLastModifiedTime(launched, FileTime.fromMillis(1_000_001));
    ProgressFile progress = new ProgressFile(file, launched);
    assertThat(progress.done()).isNaN();
    assertThat(after(progress, "{\"done\": 0.5}\n")).isEqualTo(0.5);
  }
}
