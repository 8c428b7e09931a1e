package io.ringmaster.engine.kubernetes.look;

import java.util.List;
import java.util.Map;

/**
 * What a Kubernetes said.
 *
 * @param objects nodes, pods and jobs of all kinds that it has, as the API tells them, but only
 *     what is looked at
 * @param atSeconds when, in seconds since 1970
 * @param cost in words
 * @param notes what could not be read
 */
public record Look(
    List<Map<String, Object>> objects, double atSeconds, String cost, List<String> notes) {
  public Look {
    objects = List.copyOf(objects);
    notes = List.copyOf(notes);
  }
}
