package io.ringmaster.cli.options;

import io.ringmaster.runs.OutputFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where results go. */
public final class OutputOptions {
  @Option(names = "--out", paramLabel = "DIR", description = "write all results to a new folder")
  @Nullable Path out;

  @Option(names = "--force", description = "replace the folder if it exists")
  boolean force;

  @Mixin public JsonOption json = new JsonOption();

  /** Opens the folder before any work is done, so that a bad name costs nothing. */
  public Opened open() {
    return new Opened(out == null ? null : OutputFolder.create(out, force));
  }

  /** The folder of a command, or none. */
  public record Opened(@Nullable OutputFolder folder) implements AutoCloseable {
    public @Nullable Path path() {
      return folder == null ? null : folder.path();
    }

    public void commit() {
      if (folder != null) {
        folder.commit();
      }
    }

    @Override
    public void close() {
      if (folder != null) {
        folder.close();
      }
    }
  }
}
