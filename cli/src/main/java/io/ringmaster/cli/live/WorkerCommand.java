package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.training.BadOption;
import io.ringmaster.training.Worker;
import io.ringmaster.training.WorkerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code ringmaster worker}: one process of a real training. Its options are the worker's own. */
@Command(
    name = "worker",
    description = {
      "Trains a small network together with the other workers of its job.",
      "Jobs run it once for each GPU; alone it is a training with one worker."
    },
    mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {
  private CommandSpec spec = CommandSpec.create();

  /** Called by picocli while it reads this class: lists the worker's own options for it. */
  @Spec
  void listOptions(CommandSpec given) {
    spec = given;
    for (WorkerOptions.Option option : WorkerOptions.ALL) {
      given.addOption(
          OptionSpec.builder(option.name())
              .paramLabel(option.label())
              .type(String.class)
              .description(option.help() + " (default: " + option.defaultValue() + ")")
              .build());
    }
  }

  @Override
  public Integer call() {
    List<String> given = new ArrayList<>();
    for (WorkerOptions.Option option : WorkerOptions.ALL) {
      String value = spec.findOption(option.name()).getValue();
      if (value != null) {
        given.add(option.name());
        given.add(value);
      }
    }
    try {
      return Worker.run(WorkerOptions.parse(given.toArray(String[]::new)), System.getenv());
    } catch (BadOption e) {
      throw new BadInput(String.valueOf(e.getMessage()));
    }
  }
}
