package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node of Kubernetes.
 *
 * @param gpus that pods can have
 * @param usedGpus that pods hold
 * @param cpus that pods can have
 * @param memoryBytes that pods can have
 * @param isUp whether its kubelet answers
 * @param isCordoned whether an administrator lets no pods go there
 */
public record KubeNode(
    String name,
    int gpus,
    int usedGpus,
    double cpus,
    double memoryBytes,
    boolean isUp,
    boolean isCordoned,
    Map<String, String> labels,
    List<Taint> taints) {

  /** By what the labels call the kind of a node's GPUs. */
  private static final List<String> GPU_LABELS =
      List.of(
          "nvidia.com/gpu.product", "amd.com/gpu.product-name", "cloud.google.com/gke-accelerator");

  /** What keeps pods away that do not tolerate it. */
  public record Taint(String key, String value, String effect) {
    boolean repels() {
      return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }
  }

  public KubeNode {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /** Of what the server tells of it. */
  public static KubeNode of(Map<?, ?> node) {
    return of(JsonItems.of(node));
  }

  static KubeNode of(JsonItems node) {
    Map<String, String> labels = new TreeMap<>();
    for (String name : node.object("metadata", "labels").members().keySet()) {
      labels.put(name, node.text("metadata", "labels", name));
    }
    List<Taint> taints = new ArrayList<>();
    for (JsonItems taint : node.objects("spec", "taints")) {
      taints.add(new Taint(taint.text("key"), taint.text("value"), taint.text("effect")));
    }
    JsonItems has = node.object("status", "allocatable");
    boolean isUp =
        node.objects("status", "conditions").stream()
            .anyMatch(c -> c.text("type").equals("Ready") && c.text("status").equals("True"));
    return new KubeNode(
        node.text("metadata", "name"),
        (int) Math.min(KubeResources.gpus(has), TraceJobs.MOST_GPUS_EACH),
        0,
        amount(has, "cpu"),
        amount(has, "memory"),
        isUp,
        node.text("spec", "unschedulable").equals("true"),
        labels,
        taints);
  }

  private static double amount(JsonItems has, String name) {
    return has.text(name).isEmpty() ? 0 : KubeResources.quantity(has.text(name));
  }

  KubeNode using(int heldGpus) {
    return new KubeNode(name, gpus, heldGpus, cpus, memoryBytes, isUp, isCordoned, labels, taints);
  }

  /** Whether pods can be started there. */
  public boolean takesJobs() {
    return isUp && !isCordoned;
  }

  /** Why not; empty if they can. */
  public String whyNot() {
    return !isUp ? "not ready" : isCordoned ? "cordoned" : "";
  }

  /** The kind of its GPUs, as a label has it; may be empty. */
  public String gpuKind() {
    return GPU_LABELS.stream()
        .map(label -> labels.getOrDefault(label, ""))
        .filter(kind -> !kind.isEmpty())
        .findFirst()
        .orElse("");
  }
}
