package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept for a pod on its node, as kubelets and schedulers count it. */
final class Requests {
  private Requests() {}

  /**
   * Containers together, or more if one that runs before them needs it, and what running a pod
   * costs. A container that begins before the others and stays is one of them.
   */
  static Map<String, Double> of(PodSpec spec) {
    Map<String, Double> all = new HashMap<>();
    spec.getContainers().forEach(each -> add(all, amounts(each)));
    Map<String, Double> staying = new HashMap<>();
    Map<String, Double> most = new HashMap<>();
    for (Container container : orEmpty(spec.getInitContainers())) {
      Map<String, Double> needed = new HashMap<>(staying);
      add(needed, amounts(container));
      needed.forEach((name, amount) -> most.merge(name, amount, Math::max));
      if ("Always".equals(container.getRestartPolicy())) {
        add(staying, amounts(container));
      }
    }
    add(all, staying);
    most.forEach((name, amount) -> all.merge(name, amount, Math::max));
    if (spec.getResources() != null) {
      // Said of the pod as a whole.
      all.putAll(amounts(spec.getResources().getRequests()));
    }
    add(all, amounts(spec.getOverhead()));
    all.values().removeIf(amount -> amount <= 0);
    return all;
  }

  private static List<Container> orEmpty(@Nullable List<Container> containers) {
    return containers == null ? List.of() : containers;
  }

  private static void add(Map<String, Double> to, Map<String, Double> more) {
    more.forEach((name, amount) -> to.merge(name, amount, Double::sum));
  }

  private static Map<String, Double> amounts(Container container) {
    return container.getResources() == null
        ? Map.of()
        : amounts(container.getResources().getRequests());
  }

  static Map<String, Double> amounts(@Nullable Map<String, Quantity> quantities) {
    Map<String, Double> amounts = new HashMap<>();
    if (quantities != null) {
      quantities.forEach((name, quantity) -> amounts.put(name, PodSight.amount(quantity)));
    }
    return amounts;
  }
}
