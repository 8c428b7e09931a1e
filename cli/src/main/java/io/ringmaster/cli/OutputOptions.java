package io.ringmaster.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where results go. */
final class OutputOptions {
  @Option(names = "--out", paramLabel = "DIR", description = "write all results to a new folder")
  @Nullable Path out;

  @Option(names = "--force", description = "replace the folder if it exists")
  boolean force;

  @Option(names = "--json", description = "print one JSON document instead of a table")
  boolean json;

  /** Opens the folder before any work is done, so that a bad name costs nothing. */
  Opened open() {
    return new Opened(out == null ? null : OutputFolder.create(out, force));
  }

  /** The folder of a command, or none. */
  record Opened(@Nullable OutputFolder folder) implements AutoCloseable {
    @Nullable Path path() {
      return folder == null ? null : folder.path();
    }

    void commit() {
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
