package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** What must stay as it is to the last digit; {@code -Dgolden.update=true} writes it anew. */
public final class Golden {
  private static final boolean UPDATE = Boolean.getBoolean("golden.update");

  private Golden() {}

  /** Compares a text with a golden file. */
  public static void same(String folder, String file, String text) throws IOException {
    Path golden = Cli.GOLDEN.resolve(folder).resolve(file);
    if (UPDATE) {
      Files.createDirectories(Objects.requireNonNull(golden.getParent()));
      Files.writeString(golden, text);
    }
    assertThat(golden).as("golden file; make it with -Dgolden.update=true").exists();
    assertThat(text).isEqualTo(Cli.read(golden));
  }

  /** Compares the table and the picture of a fit. */
  public static void sameFit(String folder, Cli.Ran ran, Path out) throws IOException {
    same(folder, "table.txt", ran.out());
    same(folder, "plot.svg", Cli.read(out.resolve("plot.svg")));
  }
}
