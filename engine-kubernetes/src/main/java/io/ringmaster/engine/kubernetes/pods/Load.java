package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Node.Held;
import java.util.HashMap;
import java.util.Map;

/**
 * What pods hold of a node together.
 *
 * @param more what is no GPU, CPU or memory, by the names of resources
 */
record Load(int pods, Held held, Map<String, Double> more) {
  static final Load NOTHING = new Load(0, Held.NOTHING, Map.of());

  static Load of(PodSight pod) {
    return new Load(1, pod.requests(), pod.more());
  }

  Load plus(Load other) {
    Map<String, Double> both = more;
    if (!other.more.isEmpty()) {
      both = new HashMap<>(more);
      for (Map.Entry<String, Double> each : other.more.entrySet()) {
        both.merge(each.getKey(), each.getValue(), Double::sum);
      }
    }
    return new Load(pods + other.pods, held.plus(other.held), both);
  }
}
