package io.ringmaster.cli.options;

import io.ringmaster.cli.terminal.Terminal;
import picocli.CommandLine.Option;

/** How wide tables may be. */
public final class WideOption {
  @Option(names = "--wide", description = "all columns of tables, however wide the terminal is")
  boolean given;

  public int columns() {
    return given ? Integer.MAX_VALUE : Terminal.columns();
  }
}
