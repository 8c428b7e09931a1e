package io.ringmaster.workload.trace;

import java.nio.file.Path;
import java.util.Map;

/**
 * What makes the pods of a gang: a Job, a JobSet, one of the training operator's or of Volcano's.
 *
 * @param gang as {@link KubePod#gang} has it for its pods, if that is not its uid
 * @param pods how many there are at once, less those that need not be done again
 * @param isSuspended whether it makes none now
 */
public record KubeOwner(
    String kind,
    String namespace,
    String name,
    String uid,
    String gang,
    int pods,
    boolean isSuspended,
    boolean hasEnded,
    boolean hasSucceeded) {
  private static final Path NO_FILE = Path.of("");

  private static int pods(JsonItems owner) {
    JsonItems spec = owner.object("spec");
    double left = spec.number("completions") - owner.number("status", "succeeded");
    double pods = KubeItem.pods(spec);
    return (int) Math.min(left >= 1 ? Math.min(pods, left) : pods, Integer.MAX_VALUE);
  }

  /**
   * Of what the server tells of it.
   *
   * @throws IllegalArgumentException if that is nothing that makes pods
   */
  public static KubeOwner of(Map<?, ?> object) {
    JsonItems items = JsonItems.of(object);
    try {
      KubeItem item = KubeItem.of(items, NO_FILE, 0);
      return new KubeOwner(
          items.text("kind"),
          item.namespace(),
          item.gangName(),
          item.uid(),
          item.gang(),
          pods(items),
          items.text("spec", "suspend").equals("true")
              || items.text("spec", "runPolicy", "suspend").equals("true"),
          item.ended(),
          item.succeeded());
    } catch (Unusable e) {
      throw new IllegalArgumentException("an owner of pods %s".formatted(e.getMessage()), e);
    }
  }
}
