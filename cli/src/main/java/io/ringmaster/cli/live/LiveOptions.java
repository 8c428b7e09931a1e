package io.ringmaster.cli.live;

import io.ringmaster.cli.options.JsonOption;
import picocli.CommandLine.Mixin;

/** Which server, and how the answer is printed. */
final class LiveOptions extends ServerOptions {
  @Mixin JsonOption json = new JsonOption();
}
