package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code ringmaster complete}: what the completion script asks of a server. Somebody waits with a
 * finger on the key: a server that does not answer at once is not waited for.
 */
@Command(
    name = "complete",
    hidden = true,
    description = "Prints ids of jobs or names of nodes for the completion script.",
    mixinStandardHelpOptions = true)
final class CompleteCommand implements Callable<Integer> {
  private static final Duration AT_ONCE = Duration.ofMillis(200);
  private static final int MOST = 100;

  @Mixin ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "WHAT", description = "jobs or nodes")
  String what = "";

  @Override
  public Integer call() {
    Client client = server.client();
    List<String> words =
        switch (what) {
          case "jobs" -> words(client, "jobs", "?limit=" + MOST, "id");
          case "nodes" -> words(client, "nodes", "", "name");
          default -> throw new BadInput("complete: expected jobs or nodes");
        };
    words.forEach(System.out::println);
    return 0;
  }

  private static List<String> words(Client client, String list, String query, String key) {
    return client.atOnce("/" + list + query, AT_ONCE).stream()
        .flatMap(answer -> answer.objects(list).stream())
        .map(each -> each.text(key))
        .toList();
  }
}
