package io.ringmaster.cli.live;

import picocli.CommandLine.Option;

/** Which server, and how the answer is printed. */
final class LiveOptions extends ServerOptions {
  @Option(names = "--json", description = "print one JSON document instead of text")
  boolean json;
}
