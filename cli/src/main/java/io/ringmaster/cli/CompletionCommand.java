package io.ringmaster.cli;

import io.ringmaster.cli.terminal.ExitStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ringmaster completion}: a script for bash and zsh. */
@Command(
    name = "completion",
    description = {
      "Prints a completion script for bash and zsh.",
      "Use: source <(ringmaster completion)"
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    System.out.print(new CompletionScript(spec.root()).text());
    return ExitStatus.OK;
  }
}
