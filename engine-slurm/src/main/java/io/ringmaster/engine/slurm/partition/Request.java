package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.engine.slurm.client.SlurmJob;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job of somebody's asks Slurm for, in nodes and GPUs: the same number on each node.
 *
 * @param minGpus fewest GPUs it says that it can run with
 * @param maxGpus most
 * @param isFixed whether its script counts on these nodes and tasks, so that it keeps its shape
 * @param resumable whether it says that it goes on where it was after it was put back
 */
record Request(
    int nodes, int gpusPerNode, int minGpus, int maxGpus, boolean isFixed, boolean resumable) {
  private static final Pattern WORDS =
      Pattern.compile("(?i)(?:^|\\s)#?ringmaster:?((?: [^\\n]*)?)");
  private static final Pattern TEXT = Pattern.compile("(\\d+)x(\\d+)(f?)(?::(\\d+)-(\\d+))?(r?)");
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
    boolean isFixed = job.tasksPerNode() > 0;
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
    return new Request(nodes, perNode, min, max, isFixed, isMarked && job.isBatch());
  }

  /** As a part of a job's id: what is changed is another request. */
  String text() {
    return nodes
        + "x"
        + gpusPerNode
        + (isFixed ? "f" : "")
        + (isElastic() ? ":" + minGpus + "-" + maxGpus : "")
        + (resumable ? "r" : "");
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
        !matcher.group(6).isEmpty());
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
    List<String> words = new ArrayList<>();
    words.add("numnodes=%d-%d".formatted(wantedNodes, wantedNodes));
    words.add(
        "nodelist="
            + (isPinned
                ? String.join(",", on.shares().stream().map(Allocation.Share::node).toList())
                : ""));
    words.add("gres=gpu:" + wantedEach);
    if (!start.isEmpty()) {
      words.add("starttime=" + start);
    }
    return words;
  }
}
