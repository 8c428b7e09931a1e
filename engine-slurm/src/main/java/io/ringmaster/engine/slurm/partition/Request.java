package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.engine.slurm.client.HostList;
import io.ringmaster.engine.slurm.client.Needs;
import io.ringmaster.engine.slurm.client.SlurmJob;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job of somebody's asks Slurm for, in nodes and GPUs: the same number on each node.
 *
 * @param minGpus fewest GPUs it says that it can run with
 * @param maxGpus most
 * @param isFixed whether its script counts on these nodes and tasks, or it names several nodes, so
 *     that it keeps its shape
 * @param resumable whether it says that it goes on where it was after it was put back
 * @param needs what it asks for beside GPUs
 */
record Request(
    int nodes,
    int gpusPerNode,
    int minGpus,
    int maxGpus,
    boolean isFixed,
    boolean resumable,
    Needs needs) {
  private static final Pattern WORDS =
      Pattern.compile("(?i)(?:^|\\s)#?ringmaster:?((?: [^\\n]*)?)");
  private static final Pattern TEXT =
      Pattern.compile("(\\d+)x(\\d+)(f?)(?::(\\d+)-(\\d+))?(r?)((?:;\\w=[^;]*)*)");
  private static final Pattern LIMIT = Pattern.compile("\\b(min|max)=(\\d{1,6})\\b");

  int gpus() {
    return nodes * gpusPerNode;
  }

  boolean isElastic() {
    return minGpus < gpus() || maxGpus > gpus();
  }

  /**
   * What a job asks for.
   *
   * @param says its comment, or the line of its script: {@code ringmaster min=1 max=8}
   */
  static Request of(SlurmJob job, String says) {
    int nodes = Math.max(1, job.nodes());
    int perNode = job.gpusPerNode();
    boolean isFixed = job.tasksPerNode() > 0 || job.needs().nodes().size() > 1;
    int all =
        perNode > 0
            ? nodes * perNode
            : job.gpus() > 0 ? job.gpus() : job.gpusPerTask() * Math.max(1, job.tasks());
    if (perNode == 0) {
      nodes = all % nodes == 0 ? nodes : 1;
      perNode = all / nodes;
    }
    Matcher words = WORDS.matcher(says);
    boolean isMarked = words.find();
    int min = all;
    int max = all;
    if (isMarked && !isFixed) {
      Matcher limits = LIMIT.matcher(words.group(1));
      while (limits.find()) {
        int limit = Integer.parseInt(limits.group(2));
        if (limits.group(1).equals("min")) {
          min = Math.clamp(limit, 1, Math.max(1, all));
        } else {
          max = Math.max(all, limit);
        }
      }
    }
    return new Request(nodes, perNode, min, max, isFixed, isMarked && job.isBatch(), job.needs());
  }

  /** As a part of a job's id: what is changed is another request. */
  String text() {
    return nodes
        + "x"
        + gpusPerNode
        + (isFixed ? "f" : "")
        + (isElastic() ? ":" + minGpus + "-" + maxGpus : "")
        + (resumable ? "r" : "")
        // One CPU on each node is what everybody gets.
        + more("c", needs.cpus() == nodes ? "" : number(needs.cpus()))
        + more("p", needs.cpusPerGpu() > 0 ? number(needs.cpusPerGpu()) : "")
        + more("m", needs.memoryBytes() > 0 ? number(needs.memoryBytes()) : "")
        + more("q", needs.memoryBytesPerGpu() > 0 ? number(needs.memoryBytesPerGpu()) : "")
        + more("g", needs.gpuKind())
        + more("o", needs.otherGres())
        + more("f", needs.features())
        + more("w", String.join(",", needs.nodes()))
        + more("x", String.join(",", needs.excluded()));
  }

  private static String more(String name, String value) {
    return value.isEmpty()
        ? ""
        : ";" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  private static Needs needs(String text, int nodes) {
    Map<String, String> said = new HashMap<>();
    for (String part : text.split(";", -1)) {
      if (!part.isEmpty()) {
        said.put(
            part.substring(0, 1), URLDecoder.decode(part.substring(2), StandardCharsets.UTF_8));
      }
    }
    return new Needs(
        said.getOrDefault("g", ""),
        said.getOrDefault("o", ""),
        Double.parseDouble(said.getOrDefault("c", Integer.toString(nodes))),
        Double.parseDouble(said.getOrDefault("p", "0")),
        Double.parseDouble(said.getOrDefault("m", "0")),
        Double.parseDouble(said.getOrDefault("q", "0")),
        said.getOrDefault("f", ""),
        HostList.names(said.getOrDefault("w", "")),
        HostList.names(said.getOrDefault("x", "")));
  }

  /** So many CPUs are counted for each GPU. */
  double cpusPerGpu() {
    return Math.max(needs.cpusPerGpu(), needs.cpus() / Math.max(1, gpus()));
  }

  /** So much memory is counted for each GPU. */
  double memoryBytesPerGpu() {
    return Math.max(needs.memoryBytesPerGpu(), needs.memoryBytes() / Math.max(1, gpus()));
  }

  /** Why no choice of nodes would be what its owner asked for; empty: there may be one. */
  String whyNot() {
    if (!needs.isRead()) {
      return "asks for features in a way that Ringmaster cannot follow (-C %s): it reads &, | and ()"
          .formatted(needs.features());
    }
    if (!needs.nodes().isEmpty() && needs.nodes().size() < nodes) {
      return "names some of its nodes and leaves the others open (-N%d -w %s), which Ringmaster cannot follow: name all or none"
          .formatted(nodes, String.join(",", needs.nodes()));
    }
    return "";
  }

  static Request of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'%s' is no request".formatted(text));
    }
    int nodes = Integer.parseInt(matcher.group(1));
    int perNode = Integer.parseInt(matcher.group(2));
    boolean isElastic = matcher.group(4) != null;
    return new Request(
        nodes,
        perNode,
        isElastic ? Integer.parseInt(matcher.group(4)) : nodes * perNode,
        isElastic ? Integer.parseInt(matcher.group(5)) : nodes * perNode,
        !matcher.group(3).isEmpty(),
        !matcher.group(6).isEmpty(),
        needs(matcher.group(7), nodes));
  }

  /**
   * How Slurm is told to give a job these GPUs. It gives each node of a job the same number. Where
   * that is not what was decided, or the job keeps its shape, it is asked for as many GPUs in a
   * shape that it can give, and chooses the nodes.
   *
   * @param start when, for one that was requeued: Slurm would let it wait for two minutes; empty:
   *     it was not
   * @return words of {@code scontrol update}
   */
  List<String> placed(Allocation on, String start) {
    int shares = on.shares().size();
    int each = on.shares().getFirst().gpus();
    boolean isEven = on.shares().stream().allMatch(share -> share.gpus() == each);
    boolean isAsAsked = isEven && shares == nodes && each == gpusPerNode;
    int wantedNodes = shares;
    int wantedEach = each;
    boolean isPinned = isAsAsked || (isEven && !isFixed);
    if (!isPinned) {
      boolean keepsShape = isFixed || on.workers() == gpus();
      wantedNodes = keepsShape ? nodes : on.workers() % shares == 0 ? shares : 1;
      wantedEach = keepsShape ? gpusPerNode : on.workers() / wantedNodes;
    }
    List<String> words =
        shape(
            wantedNodes,
            wantedEach,
            isPinned ? on.shares().stream().map(Allocation.Share::node).toList() : needs.nodes());
    if (!start.isEmpty()) {
      words.add("starttime=" + start);
    }
    return words;
  }

  /** As its owner asked for it, for one that is not to start yet after all. */
  List<String> asAsked() {
    return shape(nodes, gpusPerNode, needs.nodes());
  }

  private List<String> shape(int wantedNodes, int gpusOnEach, List<String> on) {
    List<String> words = new ArrayList<>();
    words.add("numnodes=%d-%d".formatted(wantedNodes, wantedNodes));
    words.add("nodelist=" + String.join(",", on));
    words.add("gres=" + needs.gres(gpusOnEach));
    return words;
  }
}
