package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What can be set.
 *
 * @param context of the kubeconfig; empty: its current one
 * @param namespace where pods are made; empty: the context's
 * @param image what jobs run in that name none; empty: the template's
 * @param template a file with a pod that all are made from; empty: none
 * @param volume where what jobs keep is: {@code none}, {@code claim:NAME} or {@code host:/PATH}
 * @param gpuResource what GPUs are called as a resource
 * @param nodes a label selector: those that jobs may run on; empty: all that have GPUs
 * @param topology labels that name a node's rack, then what that hangs on, and so on
 * @param pollSeconds how often running pods are asked how far they are
 * @param patienceSeconds how long an image may fail to be had
 * @param boundNamespaces whose pods are bound that name the scheduler; {@link #ALL}: all
 * @param lostSeconds after so long a node that does not answer is held for dead; 0: never
 */
record PodSettings(
    String context,
    String namespace,
    String image,
    String template,
    String volume,
    String gpuResource,
    String nodes,
    List<String> topology,
    double pollSeconds,
    double patienceSeconds,
    double lostSeconds,
    Set<String> boundNamespaces) {
  static final String NONE = "none";
  static final String ALL = "all";
  static final String CLAIM = "claim:";
  static final String HOST = "host:";

  private static final String CONTEXT = "context";
  private static final String NAMESPACE = "namespace";
  private static final String IMAGE = "image";
  private static final String TEMPLATE = "pod-template";
  private static final String VOLUME = "volume";
  private static final String GPU_RESOURCE = "gpu-resource";
  private static final String NODES = "nodes";
  private static final String TOPOLOGY = "topology";
  private static final String POLL = "poll-s";
  private static final String PATIENCE = "image-patience-s";
  private static final String LOST = "lost-s";
  private static final String BOUND = "bind-pods";

  private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?";

  static final List<Parameter> PARAMETERS =
      List.of(
          text(CONTEXT, "", "a context of the kubeconfig", ".*")
              .saying("context of the kubeconfig; empty: its current one"),
          text(NAMESPACE, "", "a namespace", "([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?")
              .saying("where pods are made; empty: the context's"),
          text(IMAGE, "", "the name of an image", "\\S*")
              .saying("what jobs run in that name none; empty: the template's"),
          text(TEMPLATE, "", "a file", ".*").saying("a file with a pod that all are made from"),
          text(
                  VOLUME,
                  NONE,
                  "'none', 'claim:NAME' of a volume claim, or 'host:/PATH' that all nodes share",
                  "none|claim:[a-z0-9]([a-z0-9.-]*[a-z0-9])?|host:/.*")
              .saying("where checkpoints and work folders are; none: they go with their pods"),
          text(GPU_RESOURCE, "nvidia.com/gpu", "a resource as in nvidia.com/gpu", LABEL)
              .saying("what GPUs are called as a resource"),
          text(NODES, "", "a label selector as in pool=training", ".*")
              .saying("a label selector: those that jobs may run on; empty: all that have GPUs"),
          text(
                  TOPOLOGY,
                  "topology.kubernetes.io/zone",
                  "labels with commas between them",
                  "(%1$s(,%1$s)*)?".formatted(LABEL))
              .saying("labels that name a node's rack, then what that hangs on, and so on"),
          Parameter.number(POLL, 5, 0.1, 600)
              .saying("how often running pods are asked how far they are, seconds"),
          Parameter.number(PATIENCE, 120, 0, 86_400)
              .saying("how long an image may fail to be had before its job fails, seconds"),
          Parameter.number(LOST, 0, 0, 86_400)
              .saying(
                  "after so long a node that does not answer is held for dead, seconds; 0: never,"
                      + " until it is removed from Kubernetes"),
          text(
                  BOUND,
                  "",
                  "namespaces with commas between them, or 'all'",
                  "([a-z0-9-]+(,[a-z0-9-]+)*)?")
              .saying(
                  "namespaces in which pods with 'schedulerName: ringmaster' are bound, or 'all';"
                      + " empty: none"));

  private static Parameter text(String name, String usual, String expected, String pattern) {
    return new Parameter(
        name, usual, new Parameter.Pattern(expected, value -> value.matches(pattern)), "");
  }

  static PodSettings of(Settings settings) {
    String topology = settings.text(TOPOLOGY);
    return new PodSettings(
        settings.text(CONTEXT),
        settings.text(NAMESPACE),
        settings.text(IMAGE),
        settings.text(TEMPLATE),
        settings.text(VOLUME),
        settings.text(GPU_RESOURCE),
        settings.text(NODES),
        topology.isEmpty() ? List.of() : Arrays.asList(topology.split(",", -1)),
        settings.number(POLL),
        settings.number(PATIENCE),
        settings.number(LOST),
        settings.text(BOUND).isEmpty() ? Set.of() : Set.of(settings.text(BOUND).split(",", -1)));
  }

  /** Whether people's own pods of a namespace are bound. */
  boolean binds(String namespace) {
    return boundNamespaces.contains(namespace) || boundNamespaces.contains(ALL);
  }

  boolean bindsAny() {
    return !boundNamespaces.isEmpty();
  }

  /** Whether what jobs keep outlasts their pods. */
  boolean keeps() {
    return !volume.equals(NONE);
  }
}
