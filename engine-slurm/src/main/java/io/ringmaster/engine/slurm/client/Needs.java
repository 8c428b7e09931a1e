package io.ringmaster.engine.slurm.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job asks for beside its number of GPUs.
 *
 * @param gpuKind as in {@code --gres=gpu:a100:2}; empty: any
 * @param otherGres on each node, as in {@code nvme:1}; empty: nothing
 * @param cpus of the whole job
 * @param cpusPerGpu at least so many for each GPU; 0: it does not say
 * @param memoryBytes of the whole job; 0: it does not say
 * @param memoryBytesPerGpu at least so much for each GPU; 0: it does not say
 * @param features of each node, as {@code --constraint} has them; empty: any
 * @param nodes all of these must be among its nodes
 * @param excluded nodes that must not be among them
 */
public record Needs(
    String gpuKind,
    String otherGres,
    double cpus,
    double cpusPerGpu,
    double memoryBytes,
    double memoryBytesPerGpu,
    String features,
    List<String> nodes,
    List<String> excluded) {

  private static final Pattern CPUS = Pattern.compile("(?:^|,)cpu=(\\d{1,9})");
  private static final Pattern MEMORY = Pattern.compile("(?:^|,)mem=([0-9.]{1,18})([KMGTP]?)");
  private static final Pattern EACH_GPU = Pattern.compile("gpu(?::[^:,=]*)?[:=](\\d{1,9})$");
  private static final String UNITS = "KMGTP";

  public Needs {
    nodes = List.copyOf(nodes);
    excluded = List.copyOf(excluded);
  }

  /**
   * What Slurm tells, in its words.
   *
   * @param perNode as in {@code gres:gpu:a100:2,gres:nvme:1}, as are the next two
   * @param all as in {@code cpu=8,mem=16G,node=2}
   * @param saysMemory whether the memory in there was asked for: of who does not say, Slurm tells
   *     that of a node
   * @param cpusPerTres as in {@code gres:gpu:3}
   * @param memoryPerTres the same, in MB
   */
  record Told(
      String perNode,
      String perJob,
      String perTask,
      String all,
      boolean saysMemory,
      String cpusPerTres,
      String memoryPerTres,
      String features,
      List<String> nodes,
      List<String> excluded) {

    Needs needs() {
      String kind = "";
      for (String part : SlurmNode.words(perNode + "," + perJob + "," + perTask)) {
        String[] words = plain(part).split("[:=]", -1);
        boolean hasKind = words.length > 2 || (words.length == 2 && !words[1].matches("\\d*"));
        if (words[0].equals("gpu") && hasKind) {
          kind = words[1];
        }
      }
      // Only what each node needs is overwritten when a job is given its GPUs.
      List<String> others =
          SlurmNode.words(perNode).stream()
              .map(part -> plain(part).replace('=', ':'))
              .filter(part -> !part.equals("gpu") && !part.startsWith("gpu:"))
              .toList();
      Matcher cpus = CPUS.matcher(all);
      return new Needs(
          kind,
          String.join(",", others),
          cpus.find() ? Double.parseDouble(cpus.group(1)) : 0,
          eachGpu(cpusPerTres),
          saysMemory ? memoryBytes(all) : 0,
          eachGpu(memoryPerTres) * SlurmNode.BYTES_PER_MB,
          features,
          nodes,
          excluded);
    }

    private static String plain(String part) {
      return part.replaceFirst("^gres[:/]", "");
    }

    private static double eachGpu(String text) {
      Matcher each = EACH_GPU.matcher(text);
      return each.find() ? Double.parseDouble(each.group(1)) : 0;
    }
  }

  private static double memoryBytes(String tres) {
    Matcher memory = MEMORY.matcher(tres);
    if (!memory.find()) {
      return 0;
    }
    // Without a unit it is Slurm's usual one.
    int power = memory.group(2).isEmpty() ? 2 : 1 + UNITS.indexOf(memory.group(2));
    return Double.parseDouble(memory.group(1)) * Math.pow(1024, power);
  }

  Needs excluding(List<String> other) {
    return new Needs(
        gpuKind,
        otherGres,
        cpus,
        cpusPerGpu,
        memoryBytes,
        memoryBytesPerGpu,
        features,
        nodes,
        other);
  }

  /** Whether any node will do. */
  public boolean isAnywhere() {
    return (gpuKind + otherGres + features).isEmpty() && nodes.isEmpty() && excluded.isEmpty();
  }

  /** Whether what it asks of features is understood. */
  public boolean isRead() {
    return Features.areRead(features);
  }

  /** Whether a node may be one of its nodes, if it {@link #isRead is read}. */
  public boolean isMetBy(SlurmNode node) {
    return (nodes.isEmpty() || nodes.contains(node.name()))
        && !excluded.contains(node.name())
        && (gpuKind.isEmpty() || node.gres().contains("gpu:" + gpuKind))
        && SlurmNode.words(otherGres).stream()
            .allMatch(name -> node.gres().contains(name.replaceFirst(":.*", "")))
        && Features.matches(features, Set.copyOf(node.features()));
  }

  /** Which nodes, in words of sbatch. */
  public String words() {
    List<String> words = new ArrayList<>();
    if (!features.isEmpty()) {
      words.add("-C " + features);
    }
    if (!nodes.isEmpty()) {
      words.add("-w " + String.join(",", nodes));
    }
    if (!excluded.isEmpty()) {
      words.add("-x " + String.join(",", excluded));
    }
    String gres = gpuKind.isEmpty() ? otherGres : withKind(otherGres);
    if (!gres.isEmpty()) {
      words.add("--gres=" + gres);
    }
    return String.join(" ", words);
  }

  private String withKind(String more) {
    return "gpu:" + gpuKind + (more.isEmpty() ? "" : "," + more);
  }

  /** What each of its nodes is to give it, with so many GPUs, as {@code --gres} has it. */
  public String gres(int gpus) {
    String kind = gpuKind.isEmpty() ? "" : gpuKind + ":";
    return "gpu:" + kind + gpus + (otherGres.isEmpty() ? "" : "," + otherGres);
  }
}
