package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.workload.json.Json;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringmaster gc}: removes what is kept too long. */
@Command(
    name = "gc",
    description =
        "Removes what is kept too long of jobs that have ended, now and not within the hour.",
    mixinStandardHelpOptions = true)
final class GcCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Option(names = "--dry-run", description = "only say what would be removed")
  boolean dry;

  @Override
  public Integer call() {
    Fields answer = live.client().change("gc", "POST", "/gc", Map.of("dry_run", dry));
    if (live.json.given) {
      System.out.print(Json.document(answer));
    } else {
      print(answer);
    }
    return answer.whole("failures") == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private void print(Fields answer) {
    Table table = new Table("what", "jobs", "MB").left("what");
    for (Fields each : answer.objects("files")) {
      table.row(
          each.text("what"),
          each.text("jobs"),
          String.format(Locale.ROOT, "%.1f", each.number("bytes") / 1e6));
    }
    table.row("history", answer.text("jobs"), "-");
    System.out.print(table.text());
    long jobs = answer.whole("jobs");
    for (Fields each : answer.objects("files")) {
      jobs += each.whole("jobs");
    }
    if (jobs == 0) {
      System.out.println("\nNothing is kept too long.");
    } else {
      System.out.println(dry ? "\nNothing was removed." : "\nRemoved.");
      if (dry) {
        System.err.println("Next: ringmaster gc without --dry-run removes it");
      }
    }
    if (answer.whole("failures") > 0) {
      System.err.printf(
          "ringmaster: of %s not all could be removed; the server's log says why%n",
          JobText.count(answer.whole("failures"), "job", "jobs"));
    }
  }
}
