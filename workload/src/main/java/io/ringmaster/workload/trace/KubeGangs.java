package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts together the pods that belong together, and what made them. */
final class KubeGangs {
  /** An object, and what was read of it. */
  record Seen(KubeItem item, JsonItems object) {}

  /**
   * Pods that belong together, and the objects that they come from; either may be empty.
   *
   * @param workload of Kueue; null if it has none
   */
  record Gang(List<Seen> pods, List<Seen> owners, @Nullable JsonItems workload) {
    Seen any() {
      return pods.isEmpty() ? owners.getFirst() : pods.getFirst();
    }

    /** Whoever wants to stop them all would name this. */
    String id() {
      KubeItem item = any().item();
      return KubeItem.byName(item.namespace(), item.gangName());
    }
  }

  private final Map<String, List<Seen>> podsOf = new LinkedHashMap<>();
  private final List<Seen> owners = new ArrayList<>();

  /** By the uid of what they are for. */
  private final Map<String, JsonItems> workloads = new HashMap<>();

  void take(KubeItem item, JsonItems object) {
    Seen seen = new Seen(item, object);
    if (item.pod()) {
      podsOf.computeIfAbsent(item.gang(), _ -> new ArrayList<>(1)).add(seen);
    } else {
      owners.add(seen);
    }
  }

  void workload(JsonItems workload) {
    workload
        .objects("metadata", "ownerReferences")
        .forEach(owner -> workloads.put(owner.text("uid"), workload));
  }

  /** All that have not ended. */
  Collection<Gang> open() {
    Map<String, Gang> gangs = new LinkedHashMap<>();
    podsOf.forEach((key, pods) -> gangs.put(key, new Gang(pods, new ArrayList<>(), null)));
    for (Seen owner : owners) {
      KubeItem item = owner.item();
      String key = gangs.containsKey(item.uid()) ? item.uid() : item.gang();
      Gang gang =
          gangs.computeIfAbsent(key, _ -> new Gang(new ArrayList<>(), new ArrayList<>(), null));
      gang.owners.add(owner);
    }
    List<Gang> open = new ArrayList<>();
    for (Gang gang : gangs.values()) {
      boolean isOver =
          gang.owners.stream().anyMatch(owner -> owner.item().ended())
              || (gang.owners.isEmpty() && gang.pods.stream().allMatch(p -> p.item().ended()));
      if (!isOver) {
        open.add(new Gang(gang.pods, gang.owners, workload(gang)));
      }
    }
    return open;
  }

  private @Nullable JsonItems workload(Gang gang) {
    for (List<Seen> of : List.of(gang.owners, gang.pods)) {
      for (Seen seen : of) {
        JsonItems workload = workloads.get(seen.item().uid());
        if (workload != null) {
          return workload;
        }
      }
    }
    return null;
  }
}
