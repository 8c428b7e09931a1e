package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;

/** Objects as maps of their fields: as those who read files of a cluster have them. */
final class PlainFields {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private PlainFields() {}

  static Map<?, ?> of(Object object) {
    return SERIALIZATION.convertValue(object, Map.class);
  }
}
