package io.ringmaster.cli.options;

import picocli.CommandLine.Option;

/** How many runs go on at once. */
public final class ThreadsOption {
  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "runs at the same time (default: one for each core)")
  public int count = Runtime.getRuntime().availableProcessors();
}
