package io.ringmaster.cli.fit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ringmaster fit}: finds the parameters of models from measurements. */
@Command(
    name = "fit",
    description = "Finds the parameters of a model from measurements.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    subcommands = {FitContentionCommand.class, FitSpeedCommand.class, FitLossCommand.class})
public final class FitCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name what to fit: " + String.join(", ", spec.subcommands().keySet()));
  }
}
