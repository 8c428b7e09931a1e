package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressFileTest {
  @TempDir Path folder;

  private ProgressFile progress(long begin) throws IOException {
    Path mark = Files.writeString(folder.resolve("mark"), begin + "\n");
    return new ProgressFile(folder.resolve("progress"), mark);
  }

  private double after(ProgressFile progress, String text) throws IOException {
    Files.writeString(
        folder.resolve("progress"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return progress.done();
  }

  @Test
  void theLastCompleteLineCounts() throws IOException {
    ProgressFile progress = progress(0);
    assertThat(progress.done()).isNaN();
    assertThat(after(progress, "{\"done\": 0.1}")).isNaN();
    assertThat(after(progress, "\n")).isEqualTo(0.1);
    assertThat(after(progress, "{\"done\": 0.2}\n{\"done\": 0.3, \"loss\": 1}\n")).isEqualTo(0.3);
    assertThat(after(progress, "{\"done\": 0.")).isEqualTo(0.3);
    assertThat(after(progress, "4}\n")).isEqualTo(0.4);
  }

  @Test
  void whatMakesNoSenseSaysNothing() throws IOException {
    ProgressFile progress = progress(0);
    assertThat(after(progress, "{\"done\": 0.5}\n\n")).isEqualTo(0.5);
    for (String line :
        new String[] {
          "hello", "{\"done\": 1.5}", "{\"done\": -1}", "{\"done\": \"0.9\"}", "{\"done\": NaN}",
          "{\"done\"", "[\"done\"]", "{\"loss\": 2}", "\u0000\u00ff", "{\"done\": 1e400}"
        }) {
      assertThat(after(progress, line + "\n")).as(line).isEqualTo(0.5);
    }
    assertThat(progress(0).done()).isEqualTo(0.5);
  }

  @Test
  void onlyTheEndOfALongFileIsRead() throws IOException {
    ProgressFile progress = progress(0);
    String line = "{\"done\": 0.25, \"note\": \"%s\"}\n";
    assertThat(after(progress, line.formatted("x".repeat(1000)).repeat(100))).isEqualTo(0.25);
    // One line that is longer than what is read: its end is not taken for a line.
    assertThat(after(progress, line.formatted("\\n{\\\"done\\\": 1}" + "x".repeat(20_000))))
        .isEqualTo(0.25);
    assertThat(after(progress, "{\"done\": 0.75}\n")).isEqualTo(0.75);
  }

  /** Whatever clocks say: the file is of tomorrow, and of long ago. */
  @Test
  void whatAnEarlierAttemptSaidIsNotItsOwn() throws IOException {
    Path file = folder.resolve("progress");
    Files.writeString(file, "{\"done\": 0.5}\n");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plus(1, ChronoUnit.DAYS)));
    ProgressFile progress = progress(Files.size(file));
    assertThat(progress.done()).isNaN();
    Files.writeString(file, "{\"done\": 0.75}\n", StandardOpenOption.APPEND);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    assertThat(progress.done()).isEqualTo(0.75);
  }

  @Test
  void aFileThatIsWrittenAnewCounts() throws IOException {
    Path file = folder.resolve("progress");
    Files.writeString(file, "{\"done\": 0.5, \"loss\": 1.25}\n");
    ProgressFile progress = progress(Files.size(file));
    Files.writeString(file, "{\"done\": 0.75}\n");
    assertThat(progress.done()).isEqualTo(0.75);
  }

  @Test
  void aLineOfManyBracketsSaysNothing() throws IOException {
    ProgressFile progress = progress(0);
    assertThat(after(progress, "{\"done\": 0.5}\n")).isEqualTo(0.5);
    assertThat(after(progress, "{\"done\":".repeat(1_500) + "\n")).isEqualTo(0.5);
  }
}
