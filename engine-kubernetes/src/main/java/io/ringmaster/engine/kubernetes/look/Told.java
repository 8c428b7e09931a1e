package io.ringmaster.engine.kubernetes.look;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object of the API as a map, without what nobody looks at: programs, their environment, which
 * may be secret, and who wrote which field are most of a pod.
 */
final class Told {
  private static final Set<String> UNREAD =
      Set.of(
          "env",
          "envFrom",
          "command",
          "args",
          "volumeMounts",
          "volumes",
          "image",
          "images",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "securityContext",
          "containerID",
          "imageID",
          "lastHeartbeatTime",
          "lastProbeTime");

  private Told() {}

  static Map<String, Object> of(GenericKubernetesResource object, String kind) {
    Map<String, Object> told = new HashMap<>();
    told.put("kind", kind);
    told.put("metadata", metadata(object.getMetadata()));
    for (String part : List.of("spec", "status")) {
      Object value = object.getAdditionalProperties().get(part);
      if (value != null) {
        told.put(part, read(value));
      }
    }
    return told;
  }

  private static Map<String, Object> metadata(ObjectMeta meta) {
    Map<String, Object> told = new HashMap<>();
    put(told, "name", meta.getName());
    put(told, "namespace", meta.getNamespace());
    put(told, "uid", meta.getUid());
    put(told, "generateName", meta.getGenerateName());
    put(told, "creationTimestamp", meta.getCreationTimestamp());
    put(told, "labels", meta.getLabels());
    List<Map<String, Object>> owners = new ArrayList<>();
    for (OwnerReference owner : meta.getOwnerReferences()) {
      Map<String, Object> each = new HashMap<>();
      put(each, "kind", owner.getKind());
      put(each, "name", owner.getName());
      put(each, "uid", owner.getUid());
      put(each, "controller", owner.getController());
      owners.add(each);
    }
    told.put("ownerReferences", owners);
    return told;
  }

  private static void put(Map<String, Object> into, String name, @Nullable Object value) {
    if (value != null) {
      into.put(name, value);
    }
  }

  private static Object read(Object value) {
    return switch (value) {
      case Map<?, ?> object -> {
        Map<String, Object> read = new HashMap<>();
        object.forEach((name, each) -> {
          if (each != null && !UNREAD.contains(String.valueOf(name))) {
            read.put(String.valueOf(name), read(each));
          }
        });
        yield read;
      }
      case List<?> list -> list.stream().filter(each -> each != null).map(Told::read).toList();
      default -> value;
    };
  }
}
