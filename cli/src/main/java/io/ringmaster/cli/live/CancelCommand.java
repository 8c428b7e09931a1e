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

/** {@code ringmaster cancel}: stops jobs for good. */
@Command(
    name = "cancel",
    description = "Stops jobs for good; each gets its grace period.",
    mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(arity = "0..*", paramLabel = "ID", description = "the jobs")
  List<Long> ids = new ArrayList<>();

  @Option(names = "--user", paramLabel = "NAME", description = "all open jobs of this user")
  String user = "";

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description = "all jobs in these states, between commas, such as queued")
  List<String> states = new ArrayList<>();

  @Option(
      names = "--force",
      description = "kill at once: no grace period, also for jobs that are being stopped")
  boolean force;

  @Override
  public Integer call() {
    boolean chosen = !user.isEmpty() || !states.isEmpty();
    if (ids.isEmpty() != chosen) {
      throw new BadInput("cancel: name jobs by their ids, or by --user and --state");
    }
    Client client = live.client();
    List<Long> wanted = chosen ? JobLists.open(client, user, states) : ids;
    List<Fields> jobs = new ArrayList<>();
    List<Refusal> refused = new ArrayList<>();
    for (long id : wanted) {
      try {
        Fields job = cancel(client, id);
        jobs.add(job);
        if (!live.json.given) {
          System.out.printf("%s: %s%n", JobText.named(job), job.text("state"));
        }
      } catch (BadInput e) {
        // The others are to be stopped all the same.
        refused.add(new Refusal(id, String.valueOf(e.getMessage())));
        System.err.println("ringmaster: " + e.getMessage());
      }
    }
    if (live.json.given) {
      System.out.print(Json.document(new Document(jobs, refused)));
    } else if (chosen) {
      System.out.printf("%s%n", JobText.count(jobs.size(), "job cancelled", "jobs cancelled"));
    }
    if (!live.json.given) {
      next(jobs.stream().filter(job -> !JobText.hasEnded(job)).toList());
    }
    // Of jobs that were chosen by their state, some may well have ended meanwhile.
    return refused.isEmpty() || chosen ? ExitStatus.OK : ExitStatus.BAD_INPUT;
  }

  private record Document(List<Fields> jobs, List<Refusal> refused) {}

  private record Refusal(long id, String error) {}

  /** Of those that are still there. */
  private void next(List<Fields> leaving) {
    if (leaving.isEmpty()) {
      return;
    }
    boolean isOne = leaving.size() == 1;
    String grace =
        "; %s grace period, which --force cuts short"
            .formatted(isOne ? "it has its" : "they have their");
    System.err.printf(
        "Next: ringmaster %s%s%n",
        isOne ? "show " + leaving.getFirst().whole("id") : "jobs", force ? "" : grace);
  }

  private Fields cancel(Client client, long id) {
    return client.change(
        "cancel " + id,
        "POST",
        "/jobs/%d/cancel".formatted(id),
        force ? Map.of("force", true) : Map.of());
  }
}
