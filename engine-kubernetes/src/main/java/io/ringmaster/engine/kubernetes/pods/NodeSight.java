package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.ringmaster.workload.trace.KubeAsk;
import io.ringmaster.workload.trace.KubeNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is looked at of a node.
 *
 * @param gpus that pods can have
 * @param more what else they can have, by the names of resources
 * @param whyClosed why no pod of ours can be started there; empty: one can
 * @param isReady whether its kubelet answers
 * @param kube for what pods ask of nodes
 */
record NodeSight(
    String name,
    int gpus,
    double cpus,
    double memoryBytes,
    Map<String, Double> more,
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

  /** Sums of amounts are not exact. */
  private static final double SLACK = 1 + 1e-9;

  private static final Set<String> REPELLING = Set.of("NoSchedule", "NoExecute");

  /** How many pods a node takes, as a resource. */
  private static final String PODS = "pods";

  /** What the pod template says of nodes: no others are used. */
  record Rules(String gpuResource, List<Toleration> tolerations, KubeAsk ask) {
    static Rules of(PodSettings settings, Pod template) {
      return new Rules(
          settings.gpuResource(),
          template.getSpec().getTolerations(),
          KubeAsk.of(PlainFields.of(template.getSpec())));
    }
  }

  static NodeSight of(Node node, Rules rules) {
    Map<String, Double> has = Requests.amounts(node.getStatus().getAllocatable());
    KubeNode kube = KubeNode.of(PlainFields.of(node));
    boolean isReady =
        node.getStatus().getConditions().stream().anyMatch(NodeSight::isReadyCondition);
    Map<String, String> labels = new HashMap<>();
    if (node.getMetadata().getLabels() != null) {
      labels.putAll(node.getMetadata().getLabels());
    }
    return new NodeSight(
        node.getMetadata().getName(),
        has.getOrDefault(rules.gpuResource, 0.0).intValue(),
        has.getOrDefault("cpu", 0.0),
        has.getOrDefault("memory", 0.0),
        PodSight.more(has, rules.gpuResource),
        labels,
        whyClosed(node, kube, isReady, rules),
        isReady,
        kube);
  }

  private static boolean isReadyCondition(NodeCondition condition) {
    return "Ready".equals(condition.getType()) && "True".equals(condition.getStatus());
  }

  private static String whyClosed(Node node, KubeNode kube, boolean isReady, Rules rules) {
    if (!isReady) {
      return "Kubernetes says that it is not ready";
    }
    if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      return "it is cordoned in Kubernetes";
    }
    for (Taint taint : node.getSpec().getTaints()) {
      boolean isOurs = rules.gpuResource.equals(taint.getKey());
      if (REPELLING.contains(taint.getEffect())
          && !isOurs
          && rules.tolerations.stream().noneMatch(each -> covers(each, taint))) {
        return taint.getKey().startsWith(CONDITION)
            ? "Kubernetes says " + taint.getKey().substring(CONDITION.length())
            : "its taint %s is not tolerated by the pod template".formatted(taint.getKey());
      }
    }
    if (!rules.ask.selects(kube)) {
      return "the pod template asks for other nodes (%s)".formatted(rules.ask.words());
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

  /** Whether so much can be held there. */
  boolean hasRoom(Load load) {
    return load.held().gpus() <= gpus
        && load.held().cpus() <= cpus * SLACK
        && load.held().memoryBytes() <= memoryBytes * SLACK
        && load.pods() <= more.getOrDefault(PODS, Double.POSITIVE_INFINITY)
        && hasMore(Load.NOTHING, load.more());
  }

  /** Whether so much is free of what is no GPU, CPU or memory. */
  boolean hasMore(Load load, Map<String, Double> wanted) {
    return wanted.entrySet().stream()
        .allMatch(each -> {
          double all = each.getValue() + load.more().getOrDefault(each.getKey(), 0.0);
          return all <= more.getOrDefault(each.getKey(), 0.0) * SLACK;
        });
  }

  /** Whether it has taken all the pods that it takes. */
  boolean isFull(int pods) {
    return pods >= more.getOrDefault(PODS, Double.POSITIVE_INFINITY);
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
