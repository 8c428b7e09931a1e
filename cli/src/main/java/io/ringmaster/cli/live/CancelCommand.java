package io.ringmaster.cli.live;

import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ringmaster cancel}: stops jobs for good. */
@Command(
    name = "cancel",
    description = "Stops jobs for good; each gets its grace period.",
    mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(arity = "1..*", paramLabel = "ID", description = "the jobs")
  List<Long> ids = new ArrayList<>();

  @Override
  public Integer call() {
    Client client = live.client();
    List<Map<String, ?>> jobs = new ArrayList<>();
    for (long id : ids) {
      Fields job = client.change("cancel " + id, "POST", "/jobs/%d/cancel".formatted(id), Map.of());
      jobs.add(job.map());
      if (!live.json) {
        System.out.printf("%s: %s%n", JobText.named(job), job.text("state"));
      }
    }
    if (live.json) {
      System.out.print(Json.document(Map.of("jobs", jobs)));
    }
    return 0;
  }
}
