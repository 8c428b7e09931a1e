package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.ringmaster.control.engine.Node.Held;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at of a pod.
 *
 * @param uid what no other has, also of the same name
 * @param server which Ringmaster made it; empty: none
 * @param node where it is bound to; empty: nowhere yet
 * @param requests what is kept for it there
 * @param more what else of the node, by the names of resources
 * @param isLeaving whether it was deleted, and its node has not confirmed that it is gone
 * @param address of its network; empty: it has none yet
 * @param theirs what is looked at if somebody else made it for us to bind; null: it is not so
 */
record PodSight(
    String namespace,
    String name,
    String uid,
    String server,
    String node,
    Held requests,
    Map<String, Double> more,
    boolean isLeaving,
    String address,
    State state,
    @Nullable Theirs theirs) {

  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** How it stands. */
  sealed interface State {}

  /** Its container has not been started. */
  record Waiting(String reason, String message) implements State {}

  record Running() implements State {}

  /** Its container has ended, as its node says. */
  record Ended(int code, String reason, String message) implements State {}

  /** It is said to have ended, and nothing of its container: that may be ending still. */
  record Unclear(String reason, String message) implements State {}

  static PodSight of(Pod pod, String gpuResource) {
    PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
    Theirs theirs = Theirs.isOf(pod) ? Theirs.of(pod) : null;
    Map<String, Double> all = Requests.of(pod.getSpec());
    return new PodSight(
        text(pod.getMetadata().getNamespace()),
        pod.getMetadata().getName(),
        text(pod.getMetadata().getUid()),
        label(pod, Manifests.SERVER),
        text(pod.getSpec().getNodeName()),
        held(all, gpuResource),
        more(all, gpuResource),
        pod.getMetadata().getDeletionTimestamp() != null,
        text(status.getPodIP()),
        theirs == null ? state(status) : stateOfAll(status),
        theirs);
  }

  private static String label(Pod pod, String name) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(name, "");
  }

  /** Of a pod with any containers, as its node says of all of them. */
  private static State stateOfAll(PodStatus status) {
    String phase = text(status.getPhase());
    if (phase.equals("Succeeded") || phase.equals("Failed")) {
      for (ContainerStatus each : status.getContainerStatuses()) {
        ContainerState state = each.getState();
        if (state != null
            && state.getTerminated() != null
            && state.getTerminated().getExitCode() != null
            && state.getTerminated().getExitCode() != 0) {
          return new Ended(
              state.getTerminated().getExitCode(), text(state.getTerminated().getReason()), "");
        }
      }
      return phase.equals("Succeeded")
          ? new Ended(0, "", "")
          : new Ended(1, text(status.getReason()), text(status.getMessage()));
    }
    return phase.equals("Running") ? new Running() : waiting(status);
  }

  /** What the first container says that has no image, or else nothing. */
  private static Waiting waiting(PodStatus status) {
    for (List<ContainerStatus> each :
        List.of(status.getInitContainerStatuses(), status.getContainerStatuses())) {
      for (ContainerStatus container : each) {
        ContainerState state = container.getState();
        if (state != null
            && state.getWaiting() != null
            && Tending.TROUBLE.contains(text(state.getWaiting().getReason()))) {
          return new Waiting(
              text(state.getWaiting().getReason()), text(state.getWaiting().getMessage()));
        }
      }
    }
    return new Waiting("", "");
  }

  private static State state(PodStatus status) {
    ContainerStatus container =
        status.getContainerStatuses() == null
            ? null
            : status.getContainerStatuses().stream()
                .filter(each -> Manifests.CONTAINER.equals(each.getName()))
                .findFirst()
                .orElse(null);
    @Nullable ContainerState state = container == null ? null : container.getState();
    if (state != null && state.getTerminated() != null) {
      return new Ended(
          state.getTerminated().getExitCode() == null ? 1 : state.getTerminated().getExitCode(),
          text(state.getTerminated().getReason()),
          text(state.getTerminated().getMessage()));
    }
    if ("Failed".equals(status.getPhase()) || "Succeeded".equals(status.getPhase())) {
      return new Unclear(text(status.getReason()), text(status.getMessage()));
    }
    if (state != null && state.getRunning() != null) {
      return new Running();
    }
    return state == null || state.getWaiting() == null
        ? new Waiting("", "")
        : new Waiting(text(state.getWaiting().getReason()), text(state.getWaiting().getMessage()));
  }

  private static Held held(Map<String, Double> all, String gpuResource) {
    return new Held(
        all.getOrDefault(gpuResource, 0.0).intValue(),
        all.getOrDefault(CPU, 0.0),
        all.getOrDefault(MEMORY, 0.0));
  }

  /** Of a pod's requests, or of what a node has: all but GPUs, CPUs and memory. */
  static Map<String, Double> more(Map<String, Double> all, String gpuResource) {
    Map<String, Double> more = new HashMap<>(all);
    more.keySet().removeAll(List.of(gpuResource, CPU, MEMORY));
    return Map.copyOf(more);
  }

  /** As in {@code default/train-0}. */
  String key() {
    return namespace + "/" + name;
  }

  boolean isOver() {
    return state instanceof Ended || state instanceof Unclear;
  }

  static double amount(@Nullable Quantity quantity) {
    return quantity == null ? 0 : quantity.getNumericalAmount().doubleValue();
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** Whether something is kept for it on its node. */
  boolean holds() {
    return !node.isEmpty() && !(state instanceof Ended) && !(state instanceof Unclear);
  }
}
