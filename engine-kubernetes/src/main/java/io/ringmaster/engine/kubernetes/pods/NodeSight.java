package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.ringmaster.workload.trace.KubeNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is looked at of a node.
 *
 * @param gpus that pods can have
 * @param whyClosed why no pod of ours can be started there; empty: one can
 * @param isReady whether its kubelet answers
 * @param kube for what pods ask of nodes
 */
record NodeSight(
    String name,
    int gpus,
    double cpus,
    double memoryBytes,
    Map<String, String> labels,
    String whyClosed,
    boolean isReady,
    KubeNode kube) {

  /** By what the labels call the kind of a node's GPUs. */
  private static final List<String> GPU_LABELS =
      List.of(
          "nvidia.com/gpu.product", "amd.com/gpu.product-name", "cloud.google.com/gke-accelerator");

  /** These repeat what else is told of a node: whether it is ready, or cordoned. */
  private static final String CONDITION = "node.kubernetes.io/";

  private static final Set<String> REPELLING = Set.of("NoSchedule", "NoExecute");

  static NodeSight of(Node node, String gpuResource, List<Toleration> tolerations) {
    Map<String, Quantity> has = node.getStatus().getAllocatable();
    Map<String, Quantity> known = has == null ? Map.of() : has;
    boolean isReady =
        node.getStatus().getConditions().stream().anyMatch(NodeSight::isReadyCondition);
    Map<String, String> labels = new HashMap<>();
    if (node.getMetadata().getLabels() != null) {
      labels.putAll(node.getMetadata().getLabels());
    }
    return new NodeSight(
        node.getMetadata().getName(),
        (int) PodSight.amount(known.get(gpuResource)),
        PodSight.amount(known.get("cpu")),
        PodSight.amount(known.get("memory")),
        labels,
        whyClosed(node, isReady, gpuResource, tolerations),
        isReady,
        KubeNode.of(PlainFields.of(node)));
  }

  private static boolean isReadyCondition(NodeCondition condition) {
    return "Ready".equals(condition.getType()) && "True".equals(condition.getStatus());
  }

  private static String whyClosed(
      Node node, boolean isReady, String gpuResource, List<Toleration> tolerations) {
    if (!isReady) {
      return "Kubernetes says that it is not ready";
    }
    if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      return "it is cordoned in Kubernetes";
    }
    for (Taint taint : node.getSpec().getTaints()) {
      boolean isOurs = gpuResource.equals(taint.getKey());
      if (REPELLING.contains(taint.getEffect())
          && !isOurs
          && tolerations.stream().noneMatch(each -> covers(each, taint))) {
        return taint.getKey().startsWith(CONDITION)
            ? "Kubernetes says " + taint.getKey().substring(CONDITION.length())
            : "its taint %s is not tolerated by the pod template".formatted(taint.getKey());
      }
    }
    return "";
  }

  private static boolean covers(Toleration toleration, Taint taint) {
    boolean isAny = "Exists".equals(toleration.getOperator());
    String key = toleration.getKey() == null ? "" : toleration.getKey();
    String effect = toleration.getEffect() == null ? "" : toleration.getEffect();
    return (key.isEmpty() ? isAny : key.equals(taint.getKey()))
        && (effect.isEmpty() || effect.equals(taint.getEffect()))
        && (isAny
            || String.valueOf(toleration.getValue()).equals(String.valueOf(taint.getValue())));
  }

  /** What an informer keeps of one. */
  static Node empty(Node node) {
    return new Node();
  }

  /** The switches that it hangs on, as labels name them. */
  List<String> path(List<String> topology) {
    return topology.stream()
        .map(label -> labels.getOrDefault(label, ""))
        .filter(at -> !at.isEmpty())
        .toList();
  }

  /** The kind of its GPUs, as a label has it; may be empty. */
  String gpu() {
    return GPU_LABELS.stream()
        .map(label -> labels.getOrDefault(label, ""))
        .filter(kind -> !kind.isEmpty())
        .findFirst()
        .orElse("");
  }
}
