package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Next;
import io.ringmaster.model.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server's folder: for what is done on the server's machine, without asking the server. */
final class FolderOptions {
  @Option(names = "--config", paramLabel = "FILE", description = "the server's file (YAML)")
  @Nullable Path file;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "the server's folder (default: " + ServeConfig.DATA + ")")
  @Nullable Path data;

  boolean isNamed() {
    return file != null || data != null;
  }

  /** The options again, for a command that is to be typed next; with a blank before them. */
  String again() {
    return (file == null ? "" : " --config " + Next.path(file))
        + (data == null ? "" : " --data " + Next.path(data));
  }

  ServeConfig config() {
    ServeConfig config = ServeConfig.of(file, new ServeConfig.Given(null, data, null, null));
    if (!Files.isDirectory(config.data())) {
      throw new BadInput(
          "%s: there is no such folder; name the server's with --data or --config"
              .formatted(config.data()));
    }
    return config;
  }
}
