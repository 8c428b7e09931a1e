package io.ringmaster.cli.live;

import io.ringmaster.workload.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ringmaster show}: one job and what happened to it. */
@Command(
    name = "show",
    description = "Shows all that is known of a job, with its history.",
    mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(paramLabel = "ID", description = "the job")
  long id;

  @Override
  public Integer call() {
    Fields job = live.client().get("show " + id, "/jobs/" + id);
    System.out.print(live.json.given ? Json.document(job) : JobText.whole(job, Moments.now()));
    return 0;
  }
}
