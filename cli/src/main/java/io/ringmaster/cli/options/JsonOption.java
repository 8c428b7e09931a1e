package io.ringmaster.cli.options;

import picocli.CommandLine.Option;

/** For a program instead of a person. */
public final class JsonOption {
  @Option(names = "--json", description = "print one JSON document instead of text")
  public boolean given;
}
