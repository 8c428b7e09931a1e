package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.ringmaster.workload.trace.KubePod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at of a pod that somebody else made and that we are to bind.
 *
 * @param gang what the pods of a gang have in common, but for those of a group
 * @param gangName for people
 * @param isNamed whether it says itself which gang it is of
 * @param group what the pods of its group have in common; empty: it is in none
 * @param ownerUid of what makes it anew when it is gone; empty: nobody does
 * @param size how many pods start together, by its own words; 0: it does not say
 * @param minGpus with so few the gang runs too; 0: with all only
 * @param maxGpus it makes no use of more; 0: of all
 * @param durationSeconds NaN: it does not say
 * @param isResumable whether it says that it goes on where it was after its pods were evicted
 * @param priority of its class
 * @param whyNot it is left alone, in words; empty: it is not
 * @param claims volumes that it mounts
 * @param index its place among the pods of its gang, where somebody says so; else 0
 */
record Theirs(
    KubePod pod,
    String gang,
    String gangName,
    boolean isNamed,
    String group,
    String ownerUid,
    int size,
    int minGpus,
    int maxGpus,
    double durationSeconds,
    boolean isResumable,
    int priority,
    double createdSeconds,
    double graceSeconds,
    String whyNot,
    List<String> claims,
    int index) {
  private static final String OURS = "ringmaster.io/";
  private static final double USUAL_GRACE_SECONDS = 30;

  /** Where those who make gangs say which of its pods one is. */
  private static final List<String> INDICES =
      List.of(
          "batch.kubernetes.io/job-completion-index",
          "training.kubeflow.org/replica-index",
          "volcano.sh/task-index");

  static boolean isOf(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return Manifests.SCHEDULER.equals(pod.getSpec().getSchedulerName())
        && (labels == null || !labels.containsKey(Manifests.SERVER));
  }

  static Theirs of(Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    KubePod read = KubePod.of(PlainFields.of(pod));
    String named = said(metadata, "gang");
    boolean isNamed = !named.isEmpty();
    Long grace = pod.getSpec().getTerminationGracePeriodSeconds();
    return new Theirs(
        read,
        isNamed ? metadata.getNamespace() + "/gang/" + named : read.gang(),
        isNamed ? named : read.gangName(),
        isNamed,
        isNamed || read.group().isEmpty() ? "" : groupKey(metadata.getNamespace(), read.group()),
        ownerUid(metadata),
        whole(metadata, "gang-size"),
        whole(metadata, "gpus-min"),
        whole(metadata, "gpus-max"),
        seconds(said(metadata, "duration")),
        said(metadata, "resumable").equals("true"),
        priority(pod.getSpec().getPriority()),
        Instant.parse(metadata.getCreationTimestamp()).getEpochSecond(),
        grace == null ? USUAL_GRACE_SECONDS : grace,
        whyNot(pod.getSpec()),
        claims(pod),
        index(metadata));
  }

  static String groupKey(String namespace, String name) {
    return namespace + "/group/" + name;
  }

  private static String said(ObjectMeta metadata, String name) {
    Map<String, String> annotations = metadata.getAnnotations();
    String said = annotations == null ? null : annotations.get(OURS + name);
    return said == null ? "" : said.strip();
  }

  private static int whole(ObjectMeta metadata, String name) {
    String said = said(metadata, name);
    return said.matches("[0-9]{1,6}") ? Integer.parseInt(said) : 0;
  }

  /** Such as {@code 90}, {@code 90s}, {@code 45m}, {@code 12h} or {@code 2d}. */
  static double seconds(String text) {
    if (!text.matches("[0-9]{1,9}(\\.[0-9]+)?[smhd]?")) {
      return Double.NaN;
    }
    int end = text.length() - (Character.isDigit(text.charAt(text.length() - 1)) ? 0 : 1);
    double unit =
        switch (text.substring(end)) {
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 86_400;
          default -> 1;
        };
    double seconds = unit * Double.parseDouble(text.substring(0, end));
    return seconds > 0 && seconds < 1e9 ? seconds : Double.NaN;
  }

  /** Classes go to a thousand million; the order is kept, and small ones are kept as they are. */
  static int priority(@Nullable Integer given) {
    if (given == null) {
      return 0;
    }
    double size = Math.abs((double) given);
    double ours = size <= 500 ? size : 500 + 500 * Math.log(size / 500) / Math.log(2e9 / 500);
    return Integer.signum(given) * (int) Math.min(1000, ours);
  }

  private static String ownerUid(ObjectMeta metadata) {
    return metadata.getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(OwnerReference::getUid)
        .findFirst()
        .orElse("");
  }

  private static int index(ObjectMeta metadata) {
    for (String name : INDICES) {
      for (Map<String, String> from :
          List.of(orEmpty(metadata.getAnnotations()), orEmpty(metadata.getLabels()))) {
        String value = from.getOrDefault(name, "");
        if (value.matches("[0-9]{1,6}")) {
          return Integer.parseInt(value);
        }
      }
    }
    return 0;
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> given) {
    return given == null ? Map.of() : given;
  }

  /** What is not known here must not be guessed: such a pod could be bound where it cannot run. */
  private static String whyNot(PodSpec spec) {
    if (spec.getSchedulingGates() != null && !spec.getSchedulingGates().isEmpty()) {
      return "its scheduling gate %s is not lifted"
          .formatted(spec.getSchedulingGates().getFirst().getName());
    }
    String unknown = Unknown.of(spec);
    return unknown.isEmpty()
        ? ""
        : "Ringmaster leaves it alone: it %s, which it does not know".formatted(unknown);
  }

  /** Claims that it mounts, also those that are made for it alone. */
  private static List<String> claims(Pod pod) {
    List<String> claims = new ArrayList<>();
    for (Volume volume : pod.getSpec().getVolumes()) {
      if (volume.getPersistentVolumeClaim() != null) {
        claims.add(volume.getPersistentVolumeClaim().getClaimName());
      } else if (volume.getEphemeral() != null) {
        claims.add(pod.getMetadata().getName() + "-" + volume.getName());
      }
    }
    return claims;
  }
}
