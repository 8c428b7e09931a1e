package io.ringmaster.cli.live;

import io.ringmaster.cli.live.DoctorChecks.Finding;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.runs.Version;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
      System.out.print(Json.document(document(found, works)));
    } else {
      print(found, works);
    }
    return works ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private static Map<String, Object> document(List<Finding> found, boolean works) {
    List<Map<String, Object>> checks = new ArrayList<>();
    for (Finding each : found) {
      Map<String, Object> check = new LinkedHashMap<>();
      check.put("what", each.what());
      check.put("state", each.state().text());
      check.put("found", each.found());
      if (!each.advice().isEmpty()) {
        check.put("advice", each.advice());
      }
      checks.add(check);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("version", Version.text());
    document.put("works", works);
    document.put("checks", checks);
    return document;
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
