package io.ringmaster.workload.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A pod as whoever binds it to a node has to see it: which gang it is of, and where it may go. */
public final class KubePod {
  private static final Path NO_FILE = Path.of("");

  private final KubeItem item;
  private final KubeAsk ask;
  private final String group;
  private final String sameNodes;

  private KubePod(KubeItem item, KubeAsk ask, String group) {
    this.item = item;
    this.ask = ask;
    this.group = group;
    this.sameNodes = ask.selector() + " " + ask.terms() + " " + ask.tolerations();
  }

  /** Names of the object that says how many pods belong together. */
  private static final List<String> GROUPS =
      List.of(
          "scheduling.x-k8s.io/pod-group",
          "pod-group.scheduling.sigs.k8s.io",
          "scheduling.k8s.io/group-name",
          "scheduling.volcano.sh/group-name");

  /**
   * Of what the server tells of it.
   *
   * @throws IllegalArgumentException if that is no pod
   */
  public static KubePod of(Map<?, ?> pod) {
    JsonItems items = JsonItems.of(pod);
    try {
      return new KubePod(
          KubeItem.of(items, NO_FILE, 0), KubeAsk.of(items.object("spec")), group(items));
    } catch (Unusable e) {
      throw new IllegalArgumentException("a pod %s".formatted(e.getMessage()), e);
    }
  }

  private static String group(JsonItems pod) {
    for (String name : GROUPS) {
      for (String where : List.of("labels", "annotations")) {
        String group = pod.text("metadata", where, name);
        if (!group.isEmpty()) {
          return group;
        }
      }
    }
    return pod.text("spec", "schedulingGroup", "podGroupName");
  }

  /** What the pods of one gang have in common, but for those of a group. */
  public String gang() {
    return item.gang();
  }

  /** The name of the job that makes it; of a pod on its own the pod's. */
  public String gangName() {
    return item.gangName();
  }

  /** The name of its pod group; empty: it is in none. */
  public String group() {
    return group;
  }

  /** Whether a node is what it asks for, and has no taint that it does not tolerate. */
  public boolean allows(KubeNode node) {
    return ask.allows(node);
  }

  /** Its own words of where it wants to be; empty: it would go anywhere. */
  public String words() {
    return ask.words();
  }

  /** The same for pods that may be on the same nodes, whatever nodes there are. */
  public String sameNodes() {
    return sameNodes;
  }

  /** Whether it tolerates nothing but what every pod does. */
  public boolean isUsual() {
    return ask.selector().isEmpty()
        && ask.terms().isEmpty()
        && ask.tolerations().stream()
            .allMatch(each -> each.key().startsWith("node.kubernetes.io/"));
  }
}
