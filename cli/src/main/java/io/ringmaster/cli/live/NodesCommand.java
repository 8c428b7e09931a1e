package io.ringmaster.cli.live;

import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ringmaster nodes}: where jobs can run. */
@Command(
    name = "nodes",
    description = "Lists nodes, their GPUs, and the jobs on them.",
    mixinStandardHelpOptions = true)
final class NodesCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Mixin WideOption wide = new WideOption();

  @Override
  public Integer call() {
    Fields answer = live.client().get("nodes", "/nodes");
    System.out.print(
        live.json.given ? Json.document(answer) : text(answer.objects("nodes"), wide.columns()));
    return 0;
  }

  private record Column(String name, boolean isLeft, Function<Fields, String> value) {}

  private static String text(List<Fields> nodes, int width) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("node", true, node -> node.text("name")));
    // What no engine tells and no file says takes no room.
    optional(columns, nodes, new Column("kind", true, node -> node.text("gpu")));
    columns.add(new Column("GPUs", false, NodesCommand::gpus));
    columns.add(new Column("used", false, node -> Long.toString(used(node))));
    optional(columns, nodes, new Column("others", false, node -> shown(others(node))));
    columns.add(new Column("free", false, node -> node.text("free_gpus")));
    optional(columns, nodes, new Column("CPUs", false, node -> amount(node, "cpus", 1)));
    optional(columns, nodes, new Column("GB", false, node -> amount(node, "memory_bytes", 1e9)));
    columns.add(new Column("state", true, NodesCommand::state));
    columns.add(new Column("jobs", true, node -> String.join(" ", node.texts("jobs"))));
    optional(columns, nodes, new Column("reason", true, node -> node.text("reason")));
    Table table =
        new Table(columns.stream().map(Column::name).toArray(String[]::new))
            .left(
                columns.stream()
                    .skip(1)
                    .filter(Column::isLeft)
                    .map(Column::name)
                    .toArray(String[]::new))
            .words("jobs", "reason")
            .optional(
                Stream.of("GB", "CPUs", "kind", "used")
                    .filter(name -> columns.stream().anyMatch(c -> c.name().equals(name)))
                    .toArray(String[]::new));
    nodes.forEach(
        node -> table.row(columns.stream().map(c -> c.value().apply(node)).toArray(String[]::new)));
    long others = sum(nodes, NodesCommand::others);
    return table.text(width)
        + "\nIn all: %d GPUs, %d used, %s%d free\n"
            .formatted(
                sum(nodes, node -> node.whole("gpus")),
                sum(nodes, NodesCommand::used),
                others == 0 ? "" : others + " held by others, ",
                sum(nodes, node -> node.whole("free_gpus")));
  }

  private static void optional(List<Column> columns, List<Fields> nodes, Column column) {
    if (nodes.stream().anyMatch(node -> !column.value().apply(node).isEmpty())) {
      columns.add(column);
    }
  }

  private static long sum(List<Fields> nodes, ToLongFunction<Fields> value) {
    return nodes.stream().mapToLong(value).sum();
  }

  /** Those that were found, and in brackets what the file says if that is another number. */
  private static String gpus(Fields node) {
    String found = node.text("gpus");
    String declared = node.text("declared_gpus");
    return declared.isEmpty() || declared.equals(found)
        ? found
        : "%s (%s)".formatted(found, declared);
  }

  private static long others(Fields node) {
    return node.has("others") ? node.object("others").whole("gpus") : 0;
  }

  private static String shown(long gpus) {
    return gpus == 0 ? "" : Long.toString(gpus);
  }

  private static long used(Fields node) {
    return Math.max(0, node.whole("gpus") - node.whole("free_gpus") - others(node));
  }

  private static String amount(Fields node, String key, double unit) {
    return node.has(key) ? "%.0f".formatted(node.number(key) / unit) : "";
  }

  static String state(Fields node) {
    String up = node.flag("up") ? "up" : "down";
    return node.flag("drained") ? up + ", drained" : up;
  }
}
