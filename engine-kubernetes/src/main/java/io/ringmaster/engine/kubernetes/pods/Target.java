package io.ringmaster.engine.kubernetes.pods;

import java.util.ArrayList;
import java.util.List;

/**
 * A pod that somebody else made, and the node that it is to be on.
 *
 * @param uid one of the same name may be another one
 */
record Target(String namespace, String name, String uid, String node) {
  /** Where the API has it. */
  String path() {
    return "/api/v1/namespaces/%s/pods/%s".formatted(namespace, name);
  }

  String key() {
    return namespace + "/" + name;
  }

  static String text(List<Target> targets) {
    return String.join(
        ",",
        targets.stream()
            .map(each -> String.join("/", each.namespace, each.name, each.uid, each.node))
            .toList());
  }

  static List<Target> of(String text) {
    List<Target> targets = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] parts = each.split("/", -1);
      targets.add(new Target(parts[0], parts[1], parts[2], parts[3]));
    }
    return targets;
  }
}
