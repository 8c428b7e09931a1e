package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.engine.slurm.client.HostList;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An allocation as Slurm tells of it.
 *
 * @param uid whose it is
 * @param state in Slurm's words
 * @param endSeconds when it ends, in seconds of the epoch; infinite: nobody says
 * @param nodes in Slurm's order
 */
record SlurmAllocation(long id, long uid, String state, double endSeconds, List<NodeShare> nodes) {
  /** Slurm has never heard of it, or no more. */
  static final String UNKNOWN = "UNKNOWN";

  private static final Set<String> NOT_OVER =
      Set.of(
          "RUNNING",
          "CONFIGURING",
          "SUSPENDED",
          "STOPPED",
          "COMPLETING",
          "SIGNALING",
          "STAGE_OUT",
          "RESIZING");
  private static final Pattern USER = Pattern.compile(" UserId=[^ ]*\\((\\d+)\\)");

  /** What the allocation has of some nodes. */
  private static final Pattern SHARE =
      Pattern.compile(" Nodes=(\\S+) CPU_IDs=(\\S*) Mem=(\\d*) GRES=(\\S*)");

  private static final Pattern INDEXES =
      Pattern.compile("gpu(?::([^:,()]+))?:(\\d+)\\(IDX:([0-9,-]*)\\)");

  SlurmAllocation {
    nodes = List.copyOf(nodes);
  }

  boolean isRunning() {
    return state.equals("RUNNING");
  }

  /** Whether Slurm has ended all its processes, on nodes that it reached. */
  boolean isOver() {
    return !NOT_OVER.contains(state);
  }

  @Nullable NodeShare node(String host) {
    return nodes.stream().filter(node -> node.host().equals(host)).findAny().orElse(null);
  }

  String json() {
    return Message.of(
            "id",
            id,
            "uid",
            uid,
            "state",
            state,
            "end",
            Double.isInfinite(endSeconds) ? -1 : endSeconds,
            "nodes",
            nodes.stream().map(NodeShare::json).toList())
        .json();
  }

  static SlurmAllocation parse(String text) throws IOException {
    Message message = Message.parse(text);
    List<NodeShare> nodes = new ArrayList<>();
    for (Message node : message.parts("nodes")) {
      nodes.add(NodeShare.of(node));
    }
    double end = message.number("end");
    return new SlurmAllocation(
        message.whole("id"),
        message.whole("uid"),
        message.text("state"),
        end < 0 ? Double.POSITIVE_INFINITY : end,
        nodes);
  }

  /** Asks Slurm. */
  static SlurmAllocation ask(Slurm slurm, long id) throws IOException {
    String told = slurm.details(id);
    if (told.isEmpty()) {
      return new SlurmAllocation(id, -1, UNKNOWN, Double.POSITIVE_INFINITY, List.of());
    }
    String text = " " + told.strip() + " ";
    Matcher user = USER.matcher(text);
    if (!user.find()) {
      throw new IOException("scontrol show job tells no UserId of job " + id);
    }
    return new SlurmAllocation(
        id, Long.parseLong(user.group(1)), field(text, "JobState"), end(text), nodes(slurm, text));
  }

  private static double end(String text) {
    String end = field(text, "EndTime");
    // No limit is told as Unknown.
    return end.matches("\\d{1,15}") ? Double.parseDouble(end) : Double.POSITIVE_INFINITY;
  }

  private static String field(String text, String name) {
    Matcher field = Pattern.compile(" " + name + "=(\\S*)").matcher(text);
    return field.find() ? field.group(1) : "";
  }

  private static List<NodeShare> nodes(Slurm slurm, String text) throws IOException {
    Map<String, NodeShare> shares = new LinkedHashMap<>();
    Matcher share = SHARE.matcher(text);
    while (share.find()) {
      double cpus = numbers(share.group(2)).size();
      double megabytes = share.group(3).isEmpty() ? 0 : Double.parseDouble(share.group(3));
      List<Integer> gpus = new ArrayList<>();
      Matcher indexes = INDEXES.matcher(share.group(4));
      String kind = "";
      while (indexes.find()) {
        gpus.addAll(numbers(indexes.group(3)));
        kind = indexes.group(1) == null ? "" : indexes.group(1);
      }
      for (String host : HostList.names(share.group(1))) {
        shares.put(
            host,
            new NodeShare(
                host,
                host,
                gpus,
                kind,
                cpus,
                megabytes == 0 ? Double.POSITIVE_INFINITY : megabytes * (1 << 20)));
      }
    }
    if (!shares.isEmpty()) {
      for (SlurmNode node : slurm.nodes(shares.keySet())) {
        shares.computeIfPresent(node.name(), (_, found) -> found.on(node));
      }
    }
    return List.copyOf(shares.values());
  }

  /** Those of its nodes that Slurm does not reach, or has given up. */
  Set<String> down(Slurm slurm) throws IOException {
    Set<String> down = new HashSet<>();
    if (!nodes.isEmpty()) {
      for (SlurmNode node : slurm.nodes(nodes.stream().map(NodeShare::host).toList())) {
        if (!node.isResponding() || node.state().contains("DOWN")) {
          down.add(node.name());
        }
      }
    }
    return down;
  }

  /** As Slurm writes them: {@code 0-3,8}. */
  private static List<Integer> numbers(String ranges) {
    List<Integer> numbers = new ArrayList<>();
    for (String range : ranges.split(",", -1)) {
      Matcher ends = Pattern.compile("(\\d{1,7})(?:-(\\d{1,7}))?").matcher(range);
      if (ends.matches()) {
        int first = Integer.parseInt(ends.group(1));
        int last = ends.group(2) == null ? first : Integer.parseInt(ends.group(2));
        for (int number = first; number <= last; number++) {
          numbers.add(number);
        }
      }
    }
    return numbers;
  }
}
