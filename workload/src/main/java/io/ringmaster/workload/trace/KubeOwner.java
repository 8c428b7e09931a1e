package io.ringmaster.workload.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What makes the pods of a gang: a Job, a JobSet, one of the training operator's or of Volcano's.
 *
 * @param maker the uid of what made it, if that makes pods of gangs too; else empty
 * @param pods how many there are at first, less those that need not be done again; 0: it does not
 *     know
 * @param makesGpusLater whether pods with GPUs come only once others are there, or are done
 * @param isSuspended whether it makes none now
 */
public record KubeOwner(
    String kind,
    String namespace,
    String name,
    String uid,
    String maker,
    int pods,
    boolean makesGpusLater,
    boolean isSuspended,
    boolean hasEnded,
    boolean hasSucceeded) {
  private static final Path NO_FILE = Path.of("");

  /** It has a JobSet made, of a runtime that may say how many pods there are. */
  private static final String TRAIN_JOB = "TrainJob";

  /**
   * Of what the server tells of it.
   *
   * @param scheduler whose pods count: pods of one job may name several
   * @throws IllegalArgumentException if that is nothing that makes pods
   */
  public static KubeOwner of(Map<?, ?> object, String scheduler) {
    JsonItems items = JsonItems.of(object);
    try {
      KubeItem item = KubeItem.of(items, NO_FILE, 0);
      String kind = items.text("kind");
      List<KubeSort> sorts = sorts(items, scheduler);
      int first = sorts.stream().mapToInt(KubeSort::stage).min().orElse(0);
      return new KubeOwner(
          kind,
          item.namespace(),
          item.gangName(),
          item.uid(),
          maker(items),
          kind.equals(TRAIN_JOB) ? 0 : pods(items, sorts, first),
          sorts.stream().anyMatch(sort -> sort.stage() > first && sort.each().gpus() > 0),
          items.text("spec", "suspend").equals("true")
              || items.text("spec", "runPolicy", "suspend").equals("true"),
          item.ended(),
          item.succeeded());
    } catch (Unusable e) {
      throw new IllegalArgumentException("an owner of pods %s".formatted(e.getMessage()), e);
    }
  }

  /** Those that the scheduler is to bind. Where no template names it something else does. */
  private static List<KubeSort> sorts(JsonItems owner, String scheduler) {
    List<KubeSort> all = KubeSort.of(owner.object("spec"));
    List<KubeSort> named = all.stream().filter(sort -> sort.scheduler().equals(scheduler)).toList();
    return named.isEmpty() ? all : named;
  }

  private static int pods(JsonItems owner, List<KubeSort> sorts, int stage) {
    long pods =
        sorts.stream().filter(sort -> sort.stage() == stage).mapToLong(KubeSort::count).sum();
    double left = owner.number("spec", "completions") - owner.number("status", "succeeded");
    return (int) Math.min(left >= 1 ? Math.min((double) pods, left) : pods, Integer.MAX_VALUE);
  }

  private static String maker(JsonItems owner) {
    return owner.objects("metadata", "ownerReferences").stream()
        .filter(each -> each.text("controller").equals("true"))
        .filter(each -> KubeItem.isJob(each.text("kind")))
        .map(each -> each.text("uid"))
        .findFirst()
        .orElse("");
  }
}
