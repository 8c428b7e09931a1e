package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Arrival.State;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.engine.kubernetes.pods.PodSight.Ended;
import io.ringmaster.workload.trace.KubeOwner;
import io.ringmaster.workload.trace.KubePod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods that people made for us to bind, put together by what makes them, as jobs that the plane
 * is told of. A gang is told once all its pods are there; from then on for as long as it, or what
 * makes its pods, is there.
 */
final class Gangs {
  /** Nodes are marked for so many different wishes; each makes the kinds of nodes more. */
  private static final int MOST_MARKS = 200;

  private static final double VOLUME_SECONDS = 60;

  private final PodSettings settings;
  private final Api api;
  private final ClusterSight cluster;
  private final Owners owners;
  private final GangMemory memory;

  /** What was told of each gang, by what its pods have in common. */
  private final Map<String, Known> known = new HashMap<>();

  /** By what the plane calls them: as they were when last told. */
  private volatile Map<String, Gang> open = Map.of();

  /** Gangs that are not whole, or are left alone, and why. */
  private volatile Map<Gang, String> unready = Map.of();

  private final Map<String, PodSight> marks = new LinkedHashMap<>();
  private final Map<String, Looked> volumes = new ConcurrentHashMap<>();

  /** What was told, and of which pods: most gangs are as they were. */
  private final Map<String, Made> made = new HashMap<>();

  /** An arrival as it was told. */
  record Known(String id, String user, JobSpec spec, List<String> ownerUids) {}

  private record Made(Theirs of, int size, Known known) {}

  private record Looked(double seconds, String why) {}

  Gangs(PodSettings settings, Api api, ClusterSight cluster, Owners owners, GangMemory memory)
      throws IOException {
    this.settings = settings;
    this.api = api;
    this.cluster = cluster;
    this.owners = owners;
    this.memory = memory;
    known.putAll(memory.load());
  }

  /** All gangs of which a pod is there that has not ended. */
  private List<Gang> found() {
    return owners
        .makers()
        .gangs(
            cluster.pods().stream()
                .filter(pod -> pod.theirs() != null && !pod.isOver())
                .filter(pod -> settings.binds(pod.namespace()))
                .toList());
  }

  /**
   * What the plane is told.
   *
   * @param arrived attempts of ours, by the uids of their pods
   */
  synchronized List<Arrival> arrivals(Map<String, AttemptRecord> arrived) throws IOException {
    List<Arrival> told = new ArrayList<>();
    Map<String, Gang> nowOpen = new HashMap<>();
    Map<Gang, String> nowUnready = new HashMap<>();
    Set<String> keys = new HashSet<>();
    for (Gang gang : found()) {
      keys.add(gang.key());
      AttemptRecord live =
          gang.pods().stream()
              .map(pod -> arrived.get(pod.uid()))
              .filter(each -> each != null)
              .findFirst()
              .orElse(null);
      String why = live != null ? "" : whyNot(gang);
      Known now = known(gang, live);
      if (!why.isEmpty()) {
        nowUnready.put(gang, why);
      }
      if (now != null) {
        told.add(
            new Arrival(
                now.id, now.user, now.spec, why.isEmpty() ? State.READY : State.WAITS, why));
        nowOpen.put(now.id, gang);
      }
    }
    Map<String, AttemptRecord> running = new HashMap<>();
    arrived.values().forEach(record -> running.put(record.arrival, record));
    for (Map.Entry<String, Known> each : Map.copyOf(known).entrySet()) {
      String key = each.getKey();
      if (!keys.contains(key)) {
        Known before = each.getValue();
        if (running.containsKey(before.id)) {
          told.add(new Arrival(before.id, before.user, before.spec, State.READY, ""));
        } else if (!owners.find(before.ownerUids).stream().allMatch(KubeOwner::hasEnded)) {
          String why = "what makes its pods has not made new ones yet";
          told.add(new Arrival(before.id, before.user, before.spec, State.WAITS, why));
        } else {
          known.remove(key);
          memory.forget(key);
        }
      }
    }
    made.keySet().retainAll(known.keySet());
    open = nowOpen;
    unready = nowUnready;
    return told;
  }

  /** As it is told; null: it is not, since it has not been whole yet. */
  private @Nullable Known known(Gang gang, @Nullable AttemptRecord live) {
    Known before = known.get(gang.key());
    boolean isWhole = gang.pods().size() >= gang.size();
    if (before != null && (live != null || !isWhole)) {
      return before;
    }
    if (!isWhole || (before == null && gang.gpusOfEach() < 1)) {
      return null;
    }
    if (gang.gpusOfEach() < 1) {
      return before;
    }
    Made last = made.get(gang.key());
    if (last != null && last.of.equals(gang.any()) && last.size == gang.size()) {
      return last.known;
    }
    JobSpec spec = gang.spec(mark(gang.workers().getFirst()));
    String id = gang.id(spec);
    Known now =
        before != null && before.id.equals(id)
            ? before
            : new Known(id, gang.namespace(), spec, gang.ownerUids());
    known.put(gang.key(), now);
    made.put(gang.key(), new Made(gang.any(), gang.size(), now));
    return now;
  }

  /** Why it must not be launched now; empty: it may. */
  private String whyNot(Gang gang) throws IOException {
    for (KubeOwner owner : gang.owners()) {
      if (owner.isSuspended()) {
        return "it is suspended (spec.suspend of %s %s)".formatted(owner.kind(), owner.name());
      }
      if (owner.makesGpusLater() && gang.any().size() == 0) {
        return "Ringmaster leaves it alone: %s %s makes pods with GPUs only after others, and no"
                .formatted(owner.kind(), owner.name())
            + " GPUs can be kept for them meanwhile; with the annotations ringmaster.io/gang and"
            + " ringmaster.io/gang-size each of its parts can be a gang of its own";
      }
    }
    for (PodSight pod : gang.pods()) {
      String why = Gang.theirs(pod).whyNot();
      if (!why.isEmpty()) {
        return why;
      }
    }
    if (gang.size() == Gang.UNKNOWN) {
      return "nothing that Ringmaster sees says how many pods start together; the annotation"
          + " ringmaster.io/gang-size can";
    }
    if (gang.pods().stream().anyMatch(PodSight::isLeaving)) {
      return "pods of it are still ending";
    }
    if (gang.pods().stream().anyMatch(pod -> !pod.node().isEmpty())) {
      return "pods of it are on nodes already, and were not bound by this Ringmaster";
    }
    if (gang.pods().size() < gang.size()) {
      return "%d of its %d pods are there; they start together"
          .formatted(gang.pods().size(), gang.size());
    }
    if (gang.gpusOfEach() == 0) {
      return "it asks for no %s; Ringmaster binds pods that do: give it another schedulerName"
          .formatted(settings.gpuResource());
    }
    if (gang.gpusOfEach() < 0) {
      return "Ringmaster leaves it alone: its pods ask for different numbers of GPUs";
    }
    long wishes =
        gang.workers().stream()
            .map(pod -> Gang.theirs(pod).pod().sameNodes() + pod.more())
            .distinct()
            .count();
    if (wishes > 1) {
      return "Ringmaster leaves it alone: its pods ask for different nodes";
    }
    return whyTied(gang);
  }

  private String whyTied(Gang gang) throws IOException {
    Set<String> claims = new TreeSet<>();
    gang.pods().forEach(pod -> claims.addAll(Gang.theirs(pod).claims()));
    for (String claim : claims) {
      String key = gang.namespace() + "/" + claim;
      Looked looked = volumes.get(key);
      if (looked == null || Attempts.now() > looked.seconds + VOLUME_SECONDS) {
        looked = new Looked(Attempts.now(), api.whyTied(gang.namespace(), claim));
        volumes.put(key, looked);
      }
      if (!looked.why.isEmpty()) {
        return "Ringmaster leaves it alone: " + looked.why;
      }
    }
    return "";
  }

  /** What nodes are marked with that its pods may be on; empty: they may be on all. */
  private String mark(PodSight of) {
    KubePod pod = Gang.theirs(of).pod();
    if (pod.isUsual() && of.more().isEmpty()) {
      return "";
    }
    String more = of.more().isEmpty() ? "" : new TreeMap<>(of.more()).toString();
    String words = (pod.words() + more).replaceAll("\\p{C}", "?");
    String mark =
        "%s #%08x"
            .formatted(
                words.isEmpty() ? "tolerated" : words.substring(0, Math.min(80, words.length())),
                (pod.sameNodes() + more).hashCode());
    if (marks.putIfAbsent(mark, of) == null && marks.size() > MOST_MARKS) {
      Set<String> used = new HashSet<>();
      known.values().forEach(each -> used.add(each.spec.nodesMarked()));
      marks.keySet().removeIf(each -> !used.contains(each) && !each.equals(mark));
    }
    return mark;
  }

  /** Marks nodes with what pods that wait may be on. */
  synchronized List<Node> marked(List<Node> nodes) {
    if (marks.isEmpty()) {
      return nodes;
    }
    Map<String, Load> loads =
        marks.values().stream().allMatch(pod -> pod.more().isEmpty()) ? Map.of() : cluster.loads();
    List<Node> marked = new ArrayList<>();
    for (Node node : nodes) {
      NodeSight sight = cluster.node(node.name());
      Load load = loads.getOrDefault(node.name(), Load.NOTHING);
      Map<String, String> labels = new HashMap<>(node.labels());
      marks.forEach((mark, pod) -> {
        if (sight != null
            && Gang.theirs(pod).pod().allows(sight.kube())
            && sight.hasMore(load, pod.more())) {
          labels.put(Node.MARK + mark, "");
        }
      });
      marked.add(node.labelled(labels));
    }
    return marked;
  }

  /** As it was when it was last told; null: it is not there. */
  @Nullable Gang find(String arrival) {
    return open.get(arrival);
  }

  Map<String, Gang> open() {
    return open;
  }

  /** Those that cannot be launched, and why. */
  Map<Gang, String> unready() {
    return unready;
  }

  /** From now on it is remembered, also while there are no pods of it. */
  synchronized void launched(Gang gang) throws IOException {
    Known now = known.get(gang.key());
    if (now != null && !now.ownerUids.isEmpty()) {
      memory.keep(gang.key(), now);
    }
  }

  /** What made the pods of an attempt and is still there. */
  synchronized List<KubeOwner> owners(String arrival) {
    return known.values().stream()
        .filter(each -> each.id.equals(arrival))
        .findFirst()
        .map(each -> owners.find(each.ownerUids))
        .orElse(List.of());
  }

  /** Whether somebody makes its pods anew, as far as can be seen. */
  synchronized boolean hadOwner(String arrival) {
    return known.values().stream().anyMatch(k -> k.id.equals(arrival) && !k.ownerUids.isEmpty());
  }

  /** Whether pods of it wait that are not of an attempt. */
  boolean hasNewPods(String arrival, Set<String> uids) {
    synchronized (this) {
      String key =
          known.entrySet().stream()
              .filter(each -> each.getValue().id.equals(arrival))
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse("");
      return cluster.pods().stream()
          .anyMatch(pod ->
              pod.theirs() != null
                  && owners.makers().key(pod.theirs()).equals(key)
                  && !(pod.state() instanceof Ended)
                  && !uids.contains(pod.uid()));
    }
  }

  /** Ends it for good: what makes its pods, or else the pods. */
  void withdraw(String arrival) throws IOException {
    List<KubeOwner> made = owners(arrival);
    for (KubeOwner owner : made) {
      owners.delete(owner, api);
    }
    Gang gang = find(arrival);
    if (made.isEmpty() && gang != null) {
      for (PodSight pod : gang.pods()) {
        api.delete(
            new Target(pod.namespace(), pod.name(), pod.uid(), ""),
            pod.node().isEmpty() ? 0 : (long) Gang.theirs(pod).graceSeconds());
      }
    }
  }
}
