package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster drain}: takes a node out of service, or back in. */
@Command(
    name = "drain",
    description = "Takes a node out of service for new jobs, or back in.",
    mixinStandardHelpOptions = true)
final class DrainCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(paramLabel = "NODE", description = "see 'ringmaster nodes'")
  String node = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "why, for those who look at it")
  String reason = "";

  @Option(names = "--undo", description = "let jobs onto it again")
  boolean undo;

  @Override
  public Integer call() {
    if (undo && !reason.isEmpty()) {
      throw new BadInput("--reason: says why a node is drained; leave it out with --undo");
    }
    Fields answer =
        live.client()
            .change(
                "drain " + node,
                "POST",
                "/nodes/%s/%s".formatted(Client.part(node), undo ? "resume" : "drain"),
                undo ? Map.of() : Map.of("reason", reason));
    if (live.json.given) {
      System.out.print(Json.document(answer));
    } else {
      System.out.println(
          node
              + (undo
                  ? ": takes jobs again"
                  : ": drained; no new job is placed there, and those on it run to their ends"));
      System.err.println(
          undo
              ? "Next: ringmaster nodes"
              : "Next: ringmaster nodes shows who is left there; --undo takes it back");
    }
    return 0;
  }
}
