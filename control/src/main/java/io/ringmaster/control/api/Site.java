package io.ringmaster.control.api;

import io.ringmaster.control.engine.Node;
import java.util.List;
import java.util.Map;

/**
 * What is configured, as long as the store does not say otherwise.
 *
 * @param policy its name
 * @param settings of the policy
 * @param nodes of the cluster, in its order; one that the store does not know is shown as not up
 * @param operator who asks, as long as there is no token: the user of the operating system
 */
public record Site(String policy, Map<String, String> settings, List<Node> nodes, String operator) {
  public Site {
    settings = Map.copyOf(settings);
    nodes = List.copyOf(nodes);
  }
}
