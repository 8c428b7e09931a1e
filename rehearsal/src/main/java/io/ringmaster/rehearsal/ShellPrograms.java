package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.rehearsal.WorkerScript.Step;
import java.util.ArrayList;
import java.util.List;

/** Worker scripts as shell scripts. */
public final class ShellPrograms {
  private ShellPrograms() {}

  public static List<String> command(WorkerScript script, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", text(script.steps()), "worker"));
    command.addAll(arguments);
    return command;
  }

  private static String text(List<Step> steps) {
    StringBuilder text = new StringBuilder();
    for (Step step : steps) {
      text.append(line(step)).append('\n');
    }
    return text.toString();
  }

  private static String line(Step step) {
    return switch (step) {
      case WorkerScript.Print print ->
          "echo " + quoted(print.line()) + (print.stream() == Engine.Stream.STDERR ? " >&2" : "");
      case WorkerScript.PrintArguments _ ->
          "for word do printf '%s" + WorkerScript.AFTER_ARGUMENT + "' \"$word\"; done";
      case WorkerScript.PrintVariable variable -> "env | grep '^%s='".formatted(variable.name());
      case WorkerScript.Save save ->
          "echo %s >>\"$RINGMASTER_CHECKPOINT_DIR/saved\"".formatted(quoted(save.line()));
      case WorkerScript.PrintSaved _ -> "cat \"$RINGMASTER_CHECKPOINT_DIR/saved\" 2>/dev/null || :";
      case WorkerScript.Report report ->
          "echo '{\"done\": %s}' >>\"$RINGMASTER_PROGRESS\"".formatted(report.doneShare());
      case WorkerScript.SpoilProgress _ ->
          "rm -f \"$RINGMASTER_PROGRESS\"; mkdir \"$RINGMASTER_PROGRESS\"";
      case WorkerScript.Pass pass -> "sleep " + pass.seconds();
      // The stop reaches the sleep too, and the shell then does what it was told to.
      case WorkerScript.Wait _ -> "while :; do sleep 30; done";
      case WorkerScript.Exit exit -> "exit " + exit.code();
      case WorkerScript.OnStop stop ->
          "trap %s TERM".formatted(quoted(text(stop.steps()) + "exit " + stop.code()));
      case WorkerScript.IgnoreStop _ -> "trap '' TERM";
      case WorkerScript.OnRank some ->
          "if [ \"$RANK\" = %d ]; then\n%sfi".formatted(some.rank(), text(some.steps()));
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
