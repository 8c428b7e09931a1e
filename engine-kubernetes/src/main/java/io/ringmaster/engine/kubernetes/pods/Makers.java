package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.workload.trace.KubeOwner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which pods are a gang, and how many of them there are to be, by what makes them.
 *
 * @param owners by uid
 * @param groups by namespace and name, as {@link Theirs#group} has them
 */
record Makers(Map<String, KubeOwner> owners, Map<String, Group> groups) {
  /** A set of jobs makes jobs; more than a few such steps are a ring. */
  private static final int MOST_STEPS = 8;

  /**
   * A pod group.
   *
   * @param least so many pods start together; 0: each starts by itself
   */
  record Group(int least) {
    /** Of its {@code spec}; null: it says nothing that is known. */
    static @Nullable Group of(@Nullable Object spec) {
      if (!(spec instanceof Map<?, ?> fields)) {
        return null;
      }
      if (fields.get("minMember") instanceof Number least) {
        return new Group(least.intValue());
      }
      // That of Kubernetes itself.
      if (fields.get("schedulingPolicy") instanceof Map<?, ?> policy) {
        return policy.get("gang") instanceof Map<?, ?> gang
                && gang.get("minCount") instanceof Number least
            ? new Group(least.intValue())
            : policy.containsKey("basic") ? new Group(0) : null;
      }
      return null;
    }
  }

  /** What the pods of a gang have in common. */
  String key(Theirs theirs) {
    Group group = groups.get(theirs.group());
    return theirs.group().isEmpty() || (group != null && group.least < 1)
        ? theirs.gang()
        : theirs.group();
  }

  /** Pods, put together, those first that came first. */
  List<Gang> gangs(List<PodSight> pods) {
    Map<String, List<PodSight>> byKey = new HashMap<>();
    for (PodSight pod : pods) {
      byKey.computeIfAbsent(key(Gang.theirs(pod)), _ -> new ArrayList<>(1)).add(pod);
    }
    Set<String> shared = shared(byKey);
    List<Gang> gangs = new ArrayList<>(byKey.size());
    byKey.forEach((key, of) -> {
      of.sort(Gang.RANKS);
      gangs.add(gang(key, of, shared));
    });
    gangs.sort(
        Comparator.comparingDouble((Gang gang) -> gang.any().createdSeconds())
            .thenComparing(Gang::key));
    return gangs;
  }

  /** Owners whose pods are of several gangs: how many of them are of one nobody says. */
  private Set<String> shared(Map<String, List<PodSight>> byKey) {
    Map<String, String> first = new HashMap<>();
    Set<String> shared = new HashSet<>();
    byKey.forEach((key, pods) -> {
      for (PodSight pod : pods) {
        String uid = Gang.theirs(pod).ownerUid();
        if (!uid.isEmpty()) {
          List<KubeOwner> chain = chain(uid);
          String top = chain.isEmpty() ? uid : chain.getLast().uid();
          if (!first.computeIfAbsent(top, _ -> key).equals(key)) {
            shared.add(top);
          }
        }
      }
    });
    return shared;
  }

  private Gang gang(String key, List<PodSight> pods, Set<String> shared) {
    Theirs any = Gang.theirs(pods.getFirst());
    Map<String, KubeOwner> tops = new LinkedHashMap<>();
    Map<String, Integer> made = new HashMap<>();
    boolean isSeen = true;
    for (PodSight pod : pods) {
      List<KubeOwner> chain = chain(Gang.theirs(pod).ownerUid());
      // Pods and what makes them are told by different watches: the owner may come later.
      isSeen &= !chain.isEmpty() && chain.getLast().maker().isEmpty();
      if (!chain.isEmpty()) {
        KubeOwner top = chain.getLast();
        tops.put(top.uid(), top);
        made.put(top.uid(), pods(chain));
      }
    }
    Group group = groups.get(key);
    boolean isKnown =
        isSeen
            && made.values().stream().allMatch(each -> each > 0)
            && tops.keySet().stream().noneMatch(shared::contains);
    int all = isKnown ? made.values().stream().mapToInt(each -> each).sum() : 0;
    int size =
        any.size() > 0
            ? any.size()
            : group != null
                ? Math.max(group.least, all)
                : key.equals(pods.getFirst().uid())
                    ? 1
                    : all > 0 && !any.isNamed() ? all : Gang.UNKNOWN;
    List<KubeOwner> owners =
        tops.values().stream()
            .sorted(Comparator.comparing(KubeOwner::name).thenComparing(KubeOwner::uid))
            .toList();
    String name = group == null ? any.gangName() : key.substring(key.lastIndexOf('/') + 1);
    return new Gang(key, name, pods, owners, size, group == null ? 0 : group.least);
  }

  /** From what made a pod to what made that, as far as it is seen. */
  private List<KubeOwner> chain(String uid) {
    List<KubeOwner> chain = new ArrayList<>(2);
    KubeOwner at = owners.get(uid);
    while (at != null && chain.size() < MOST_STEPS) {
      chain.add(at);
      at = at.maker().isEmpty() ? null : owners.get(at.maker());
    }
    return chain;
  }

  /** By the outermost that knows; 0: none does. */
  private static int pods(List<KubeOwner> chain) {
    return chain.reversed().stream()
        .mapToInt(KubeOwner::pods)
        .filter(each -> each > 0)
        .findFirst()
        .orElse(0);
  }
}
