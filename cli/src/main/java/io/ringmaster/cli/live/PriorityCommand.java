package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster priority}: lets jobs go before others, or after them. */
@Command(
    name = "priority",
    description = "Gives open jobs another priority: those of a higher one go first.",
    mixinStandardHelpOptions = true)
final class PriorityCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(index = "0", paramLabel = "N", description = "the priority; after -- if below 0")
  int priority;

  @Parameters(index = "1..*", paramLabel = "ID", description = "the jobs")
  List<Long> ids = new ArrayList<>();

  @Option(names = "--user", paramLabel = "NAME", description = "all open jobs of this user")
  String user = "";

  @Override
  public Integer call() {
    if (ids.isEmpty() == user.isEmpty()) {
      throw new BadInput("priority: name jobs by their ids, or by --user");
    }
    Client client = live.client();
    List<Long> wanted = ids.isEmpty() ? JobLists.open(client, user, List.of()) : ids;
    List<Fields> jobs = new ArrayList<>();
    List<Refusal> refused = new ArrayList<>();
    for (long id : wanted) {
      try {
        Fields job =
            client.change(
                "priority of " + id,
                "POST",
                "/jobs/%d/priority".formatted(id),
                Map.of("priority", priority));
        jobs.add(job);
        if (!live.json.given) {
          System.out.printf("%s: priority %d%n", JobText.named(job), job.whole("priority"));
        }
      } catch (BadInput e) {
        refused.add(new Refusal(id, String.valueOf(e.getMessage())));
        System.err.println("ringmaster: " + e.getMessage());
      }
    }
    if (live.json.given) {
      System.out.print(Json.document(new Document(jobs, refused)));
    }
    return refused.isEmpty() ? ExitStatus.OK : ExitStatus.BAD_INPUT;
  }

  private record Document(List<Fields> jobs, List<Refusal> refused) {}

  private record Refusal(long id, String error) {}
}
