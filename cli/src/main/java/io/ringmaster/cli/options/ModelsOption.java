package io.ringmaster.cli.options;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Models beside those that are known. */
public final class ModelsOption {
  @Option(
      names = "--models",
      paramLabel = "FILE",
      description = "model profiles to add or replace (CSV)")
  public @Nullable Path file;
}
