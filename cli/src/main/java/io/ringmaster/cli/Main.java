package io.ringmaster.cli;

import io.ringmaster.cli.advise.AdviseCommand;
import io.ringmaster.cli.calibrate.CalibrateCommand;
import io.ringmaster.cli.demo.DemoCommand;
import io.ringmaster.cli.fit.FitCommand;
import io.ringmaster.cli.live.LiveCommands;
import io.ringmaster.cli.live.Unanswered;
import io.ringmaster.cli.reproduce.ReproduceCommand;
import io.ringmaster.cli.simulate.BoundCommand;
import io.ringmaster.cli.simulate.CompareCommand;
import io.ringmaster.cli.simulate.PoliciesCommand;
import io.ringmaster.cli.simulate.SimulateCommand;
import io.ringmaster.cli.simulate.ValidateCommand;
import io.ringmaster.cli.simulate.ViewCommand;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.cli.terminal.Terminal;
import io.ringmaster.cli.whatif.SizeCommand;
import io.ringmaster.cli.whatif.WhatIfCommand;
import io.ringmaster.cli.workload.GenerateCommand;
import io.ringmaster.cli.workload.ImportCommand;
import io.ringmaster.cli.workload.PredictCommand;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.runs.Version;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code ringmaster} command. */
@Command(
    name = "ringmaster",
    description = "Schedules and simulates distributed training on GPU clusters.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Versions.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Start with:  ringmaster compare",
      "Exit status: 0 done, 1 the run failed, 2 bad usage or bad input, 69 no server answers."
    })
public final class Main implements Runnable {
  private static final String OPTION = "--[A-Za-z][A-Za-z-]*";

  /** What picocli says of a number that is none: compiled only where there is a mistake. */
  private static final String WRONG_NUMBER =
      "Invalid value for (?:positional parameter at index \\S+ \\((?<label>[^)]*)\\)|option"
          + " '(?<option>[^']*)'.*?): '(?<value>.*)' is not an? (?<type>int|long|double)";

  private static final Set<String> VERSION = Set.of("-V", "--version");

  static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("simulate", SimulateCommand.class);
    COMMANDS.put("compare", CompareCommand.class);
    COMMANDS.put("whatif", WhatIfCommand.class);
    COMMANDS.put("size", SizeCommand.class);
    COMMANDS.put("advise", AdviseCommand.class);
    COMMANDS.put("policies", PoliciesCommand.class);
    COMMANDS.put("import", ImportCommand.class);
    COMMANDS.put("generate", GenerateCommand.class);
    COMMANDS.put("validate", ValidateCommand.class);
    COMMANDS.put("bound", BoundCommand.class);
    COMMANDS.put("fit", FitCommand.class);
    COMMANDS.put("calibrate", CalibrateCommand.class);
    COMMANDS.put("predict", PredictCommand.class);
    COMMANDS.put("reproduce", ReproduceCommand.class);
    COMMANDS.put("view", ViewCommand.class);
    COMMANDS.put("demo", DemoCommand.class);
    COMMANDS.putAll(LiveCommands.all());
    COMMANDS.put("completion", CompletionCommand.class);
  }

  static final class Versions implements CommandLine.IVersionProvider {
    private static final List<String> LINES =
        List.of("ringmaster " + Version.text(), "Java " + Runtime.version());

    @Override
    public String[] getVersion() {
      return LINES.toArray(String[]::new);
    }
  }

  @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs a command line and returns its exit status. */
  public static int run(String... args) {
    Terminal.guard();
    if (args.length == 1 && VERSION.contains(args[0])) {
      // As picocli would, without it.
      Versions.LINES.forEach(System.out::println);
      System.out.flush();
      return ExitStatus.OK;
    }
    CommandLine line = new CommandLine(new Main());
    // Help is ours, and in colours where there are any.
    line.setOut(new PrintWriter(Terminal.rawOut(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    // Looking at a command's options takes its time: at all of them only for help and mistakes.
    Class<?> only = args.length == 0 ? null : COMMANDS.get(args[0]);
    if (only != null && only != CompletionCommand.class) {
      line.addSubcommand(only);
    } else {
      COMMANDS.values().forEach(line::addSubcommand);
      line.addSubcommand(CommandLine.HelpCommand.class);
    }
    line.setParameterExceptionHandler(Main::badUsage);
    line.setExecutionExceptionHandler(Main::failed);
    line.setUsageHelpAutoWidth(true);
    int status = executed(line, args);
    System.out.flush();
    return status;
  }

  /** Readers have limits of their own; should one be missing, it is still one line. */
  private static int executed(CommandLine line, String... args) {
    try {
      return line.execute(args);
    } catch (StackOverflowError e) {
      line.getErr().println("ringmaster: the run failed: what it reads is nested too deep");
    } catch (OutOfMemoryError e) {
      line.getErr()
          .printf(
              "ringmaster: the run failed: it needs more memory than the %,d MiB that it may use;"
                  + " RINGMASTER_JAVA_OPTS=-Xmx8g allows 8 GiB%n",
              Runtime.getRuntime().maxMemory() >> 20);
    }
    return ExitStatus.FAILED;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }

  private static int badUsage(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String command = line.getCommandSpec().qualifiedName();
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("bad usage");
    String unknown = unknownOption(line, args);
    if (!unknown.isEmpty()) {
      // What is missing may well be what was misspelt.
      List<String> known =
          options(line).stream()
              .filter(name -> name.startsWith("--"))
              .map(name -> name.substring(2))
              .toList();
      message =
          "unknown option "
              + unknown
              + Settings.Nearest.to(unknown.substring(2), known)
                  .map(near -> "; did you mean --" + near + "?")
                  .orElse("");
    } else if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      message =
          "'%s' is not expected here%s"
              .formatted(
                  Shown.line(unmatched.getUnmatched().getFirst()),
                  suggestions.isEmpty()
                      ? ""
                      : "; did you mean '%s'?".formatted(suggestions.getFirst()));
    }
    Matcher wrongNumber = Pattern.compile(WRONG_NUMBER).matcher(message);
    if (wrongNumber.matches()) {
      message =
          "%s '%s': expected a %s"
              .formatted(
                  wrongNumber.group("option") == null
                      ? wrongNumber.group("label")
                      : wrongNumber.group("option"),
                  wrongNumber.group("value"),
                  wrongNumber.group("type").equals("double") ? "number" : "whole number");
    }
    line.getErr().println(command + ": " + message + " (see '" + command + " --help')");
    return ExitStatus.BAD_INPUT;
  }

  private static Set<String> options(CommandLine line) {
    return line.getCommandSpec().optionsMap().keySet();
  }

  /** The first that the command does not have; empty if there is none. */
  private static String unknownOption(CommandLine line, String... args) {
    Set<String> known = options(line);
    for (String arg : args) {
      if (arg.equals("--")) {
        break;
      }
      String name = arg.split("=", 2)[0];
      if (name.matches(OPTION) && !known.contains(name)) {
        return Shown.line(name);
      }
    }
    return "";
  }

  private static int failed(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
    PrintWriter err = line.getErr();
    switch (e) {
      case BadInput bad -> err.println("ringmaster: " + oneLine(bad));
      case Unanswered none -> {
        err.println("ringmaster: " + oneLine(none));
        return none.status();
      }
      case UncheckedIOException io -> err.println("ringmaster: " + oneLine(io));
      default -> {
        err.println("ringmaster: the run failed, which is a defect: " + oneLine(e));
        e.printStackTrace(err);
        return ExitStatus.FAILED;
      }
    }
    return ExitStatus.BAD_INPUT;
  }

  private static String oneLine(Exception e) {
    return Shown.line(String.valueOf(e.getMessage()));
  }
}
