package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Table;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ringmaster nodes}: where jobs can run. */
@Command(
    name = "nodes",
    description = "Lists nodes, their GPUs, and the jobs on them.",
    mixinStandardHelpOptions = true)
final class NodesCommand implements Callable<Integer> {
  private static final int LONGEST_JOBS = 40;

  @Mixin LiveOptions live = new LiveOptions();

  @Override
  public Integer call() {
    Fields answer = live.client().get("nodes", "/nodes");
    System.out.print(live.json ? Json.document(answer.map()) : text(answer.objects("nodes")));
    return 0;
  }

  private static String text(List<Fields> nodes) {
    Table table =
        new Table("node", "GPUs", "used", "free", "state", "jobs", "reason")
            .left("state", "jobs", "reason");
    long gpus = 0;
    long free = 0;
    for (Fields node : nodes) {
      gpus += node.whole("gpus");
      free += node.whole("free_gpus");
      table.row(
          node.text("name"),
          node.text("gpus"),
          Long.toString(node.whole("gpus") - node.whole("free_gpus")),
          node.text("free_gpus"),
          state(node),
          JobText.shortened(String.join(" ", node.texts("jobs")), LONGEST_JOBS),
          node.text("reason"));
    }
    return table.text()
        + "\nIn all: %d GPUs, %d used, %d free\n".formatted(gpus, gpus - free, free);
  }

  static String state(Fields node) {
    String up = node.flag("up") ? "up" : "down";
    return node.flag("drained") ? up + ", drained" : up;
  }
}
