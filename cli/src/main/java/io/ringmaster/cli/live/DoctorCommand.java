package io.ringmaster.cli.live;

import io.ringmaster.cli.live.DoctorChecks.Finding;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ringmaster doctor}: what is on this machine, and what is missing. */
@Command(
    name = "doctor",
    description = "Says what Ringmaster finds on this machine, what is missing, and what to do.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  @Mixin FolderOptions folder = new FolderOptions();
  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    ServeConfig config =
        ServeConfig.of(folder.file, new ServeConfig.Given(null, folder.data, null, null));
    List<Finding> found = new DoctorChecks(config).all();
    boolean works = found.stream().noneMatch(each -> each.state() == DoctorChecks.State.BROKEN);
    if (json.given) {
      Document document =
          new Document(Version.text(), works, found.stream().map(Check::of).toList());
      System.out.print(Json.document(document));
    } else {
      print(found, works);
    }
    return works ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private record Document(String version, boolean works, List<Check> checks) {}

  private record Check(String what, String state, String found, Optional<String> advice) {
    static Check of(Finding each) {
      return new Check(
          each.what(),
          each.state().text(),
          each.found(),
          Optional.of(each.advice()).filter(advice -> !advice.isEmpty()));
    }
  }

  private static void print(List<Finding> found, boolean works) {
    Table table = new Table("what", "", "found").left("what", "").words("found");
    for (Finding each : found) {
      table.row(
          each.what(),
          each.state().text(),
          each.advice().isEmpty() ? each.found() : each.found() + "; " + each.advice());
    }
    System.out.print(table.text());
    System.out.println(
        works
            ? "\nA server can start here. What is missing is needed only for what it names."
            : "\nA server cannot start here: see what is broken.");
    if (works) {
      System.err.println("Next: ringmaster serve");
    }
  }
}
