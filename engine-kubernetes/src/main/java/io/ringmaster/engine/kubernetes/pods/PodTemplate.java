package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The pod that all pods are made from, as its file says. */
final class PodTemplate {
  private PodTemplate() {}

  /**
   * Reads it.
   *
   * @param file empty: a pod of which nothing is said
   * @throws BadInput if pods cannot be made from it
   */
  static Pod read(String file) {
    if (file.isEmpty()) {
      return new PodBuilder()
          .withMetadata(new ObjectMeta())
          .withNewSpec()
          .addToContainers(new Container())
          .endSpec()
          .build();
    }
    Pod pod;
    try {
      pod = Serialization.unmarshal(Files.readString(Path.of(file)), Pod.class);
    } catch (IOException e) {
      throw new BadInput("pod template %s: cannot be read: %s".formatted(file, e.getMessage()));
    } catch (RuntimeException e) {
      String said = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
      throw new BadInput("pod template %s: is no pod in YAML: %s".formatted(file, said));
    }
    PodSpec spec = pod == null ? null : pod.getSpec();
    if (spec == null || spec.getContainers().size() != 1) {
      throw new BadInput(
          "pod template %s: expected a pod with one container, that of the workers; others would"
                  .formatted(file)
              + " outlast them. What is to run before them goes to initContainers");
    }
    // All processes of the container but its first are sent signals.
    if (isTrue(spec.getHostPID()) || isTrue(spec.getShareProcessNamespace())) {
      throw new BadInput(
          "pod template %s: hostPID and shareProcessNamespace cannot be had: stopping a job ends"
                  .formatted(file)
              + " all processes that it sees");
    }
    for (String set :
        List.of(
            spec.getNodeName() == null ? "" : "nodeName",
            spec.getSchedulerName() == null ? "" : "schedulerName")) {
      if (!set.isEmpty()) {
        throw new BadInput(
            "pod template %s: leave out %s: Ringmaster says where a pod goes".formatted(file, set));
      }
    }
    String unknown = Unknown.of(spec);
    if (spec.getSchedulingGates() != null && !spec.getSchedulingGates().isEmpty()) {
      unknown = "has scheduling gates";
    }
    if (!unknown.isEmpty()) {
      throw new BadInput(
          "pod template %s: it %s, which Ringmaster does not look at when it says where a pod goes:"
                  .formatted(file, unknown)
              + " leave that out");
    }
    return pod;
  }

  private static boolean isTrue(Boolean value) {
    return Boolean.TRUE.equals(value);
  }
}
