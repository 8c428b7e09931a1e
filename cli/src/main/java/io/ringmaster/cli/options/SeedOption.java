package io.ringmaster.cli.options;

import picocli.CommandLine.Option;

/** What random numbers depend on. */
public final class SeedOption {
  @Option(names = "--seed", paramLabel = "N", description = "seed of random draws (default: 1)")
  public long value = 1;
}
