package io.ringmaster.cli;

import io.ringmaster.model.BadInput;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code ringmaster} command. */
@Command(
    name = "ringmaster",
    description = "Schedules and simulates distributed training on GPU clusters.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SimulateCommand.class,
      CompareCommand.class,
      PoliciesCommand.class,
      GenerateCommand.class,
      ValidateCommand.class,
      CompletionCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {
      "",
      "Start with:  ringmaster compare",
      "Exit status: 0 done, 1 the run failed, 2 bad usage or bad input."
    })
public final class Main implements Runnable {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int BAD_INPUT = 2;

  @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs a command line and returns its exit status. */
  public static int run(String... args) {
    CommandLine line = new CommandLine(new Main());
    line.setParameterExceptionHandler(Main::badUsage);
    line.setExecutionExceptionHandler(Main::failed);
    line.setUsageHelpAutoWidth(true);
    int status = line.execute(args);
    System.out.flush();
    return status;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }

  private static int badUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String command = line.getCommandSpec().qualifiedName();
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("bad usage");
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      message += "; did you mean '" + unmatched.getSuggestions().getFirst() + "'?";
    }
    line.getErr().println(command + ": " + message + " (see '" + command + " --help')");
    return BAD_INPUT;
  }

  private static int failed(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
    PrintWriter err = line.getErr();
    switch (e) {
      case BadInput bad -> err.println("ringmaster: " + bad.getMessage());
      case UncheckedIOException io -> err.println("ringmaster: " + io.getMessage());
      default -> {
        err.println("ringmaster: the run failed, which is a defect: " + e.getMessage());
        e.printStackTrace(err);
        return FAILED;
      }
    }
    return BAD_INPUT;
  }
}
