package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Objects;
import java.util.stream.Stream;

/** What a pod may ask for that Kubernetes' own scheduler sees to, and Ringmaster does not. */
final class Unknown {
  private Unknown() {}

  /** The first of it, as in "has resource claims"; empty: there is none. */
  static String of(PodSpec spec) {
    if (spec.getResourceClaims() != null && !spec.getResourceClaims().isEmpty()) {
      return "has resource claims";
    }
    if (requiresOtherPods(spec.getAffinity())) {
      return "requires affinity between pods";
    }
    if (spec.getTopologySpreadConstraints() != null
        && spec.getTopologySpreadConstraints().stream()
            .anyMatch(each -> "DoNotSchedule".equals(each.getWhenUnsatisfiable()))) {
      return "requires a spread over a topology";
    }
    if (takesPorts(spec)) {
      return "takes ports of its node";
    }
    return spec.getVolumes().stream()
        .filter(Unknown::isDisk)
        .findFirst()
        .map(disk -> "has the cloud's disk %s, which may be in one zone".formatted(disk.getName()))
        .orElse("");
  }

  private static boolean requiresOtherPods(Affinity affinity) {
    return affinity != null
        && ((affinity.getPodAffinity() != null
                && !affinity
                    .getPodAffinity()
                    .getRequiredDuringSchedulingIgnoredDuringExecution()
                    .isEmpty())
            || (affinity.getPodAntiAffinity() != null
                && !affinity
                    .getPodAntiAffinity()
                    .getRequiredDuringSchedulingIgnoredDuringExecution()
                    .isEmpty()));
  }

  /** With the network of its node every port of a container that is named is one of the node. */
  private static boolean takesPorts(PodSpec spec) {
    boolean isHost = Boolean.TRUE.equals(spec.getHostNetwork());
    return spec.getContainers().stream()
        .flatMap(container -> container.getPorts().stream())
        .anyMatch(port -> isHost || (port.getHostPort() != null && port.getHostPort() > 0));
  }

  private static boolean isDisk(Volume volume) {
    return Stream.of(
            volume.getAwsElasticBlockStore(),
            volume.getAzureDisk(),
            volume.getCinder(),
            volume.getGcePersistentDisk(),
            volume.getVsphereVolume())
        .anyMatch(Objects::nonNull);
  }
}
