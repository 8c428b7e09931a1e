package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import io.ringmaster.workload.trace.KubeGangs.Gang;
import io.ringmaster.workload.trace.KubeGangs.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes a queue and servers of gangs and nodes.
 *
 * <ul>
 *   <li>Pods that serve, or that keep a node, do not end: what they hold is taken off their node.
 *   <li>Nodes that no waiting pod can tell apart are of one kind.
 *   <li>A pod's GPUs are on one node. Pods of a gang that take more than half of the largest node
 *       each are one a node; smaller ones go where there is room.
 *   <li>A gang of which only some pods run holds what these hold, and its rest waits.
 * </ul>
 */
final class KubeQueue {
  private static final int MOST_NAMED = 4;

  /** Owners whose pods do not end by themselves. */
  private static final Set<String> SERVICES =
      Set.of("ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Node");

  /** The nodes that a pod may go to, by their kinds. */
  private record Reach(Set<String> kinds, boolean isEverywhere) {}

  private final Map<String, KubeNode> nodes = new LinkedHashMap<>();
  private final KubeQuotas quotas;
  private final double nowSeconds;
  private final Set<String> namespaces;
  private final List<String> notes = new ArrayList<>();
  private final List<SeenJob> jobs = new ArrayList<>();
  private final List<KubeAsk> asks = new ArrayList<>();
  private final Map<String, String> kinds = new HashMap<>();
  private final Map<KubeAsk, Reach> reaches = new HashMap<>();
  private final Map<String, KubeResources> stays = new HashMap<>();
  private final Map<String, Integer> used = new HashMap<>();
  private final Set<String> unknown = new TreeSet<>();
  private int partial;

  KubeQueue(
      List<KubeNode> all, KubeGangs gangs, KubeQuotas quotas, String only, double nowSeconds) {
    this.quotas = quotas;
    this.nowSeconds = nowSeconds;
    this.namespaces = only.isEmpty() ? Set.of() : Set.of(only.split(","));
    all.stream()
        .sorted(Comparator.comparing(KubeNode::name))
        .forEach(node -> nodes.put(node.name(), node));
    List<Gang> open = new ArrayList<>(gangs.open());
    open.forEach(this::hold);
    List<Gang> ending = open.stream().filter(gang -> !serves(gang) && gpus(gang) > 0).toList();
    ending.stream()
        .flatMap(gang -> waitingPods(gang).stream())
        .map(KubeQueue::ask)
        .distinct()
        .forEach(asks::add);
    nodes.values().forEach(node -> kinds.put(node.name(), kind(node)));
    ending.forEach(this::job);
    note();
  }

  List<SeenJob> jobs() {
    return jobs;
  }

  List<String> notes() {
    return notes;
  }

  /** With GPUs, whether or not pods can be started there. */
  List<KubeNode> nodes() {
    return nodes.values().stream()
        .filter(node -> node.gpus() > 0)
        .map(node -> node.using(used.getOrDefault(node.name(), 0)))
        .toList();
  }

  Cluster cluster() {
    List<Server> servers = new ArrayList<>();
    for (KubeNode node : nodes.values()) {
      KubeResources gone = stays.getOrDefault(node.name(), KubeResources.NOTHING);
      int gpus = (int) Math.max(0, node.gpus() - gone.gpus());
      if (node.takesJobs() && gpus > 0) {
        Server whole =
            new Server(
                node.name(),
                gpus,
                kinds.getOrDefault(node.name(), ""),
                node.labels().getOrDefault("topology.kubernetes.io/zone", "r1"),
                Server.USUAL_NIC_BYTES_PER_SECOND,
                Server.USUAL_INTRA_BYTES_PER_SECOND);
        servers.add(
            whole.limited(
                gpus,
                Math.max(0, node.cpus() - gone.cpus()),
                Math.max(0, node.memoryBytes() - gone.memoryBytes())));
      }
    }
    if (servers.isEmpty()) {
      throw new BadInput(
          "no node with GPUs takes pods that end: %s"
              .formatted(
                  outOfService().isEmpty()
                      ? "all GPUs are held by services"
                      : whyNot(outOfService())));
    }
    return new Cluster("kubernetes", servers, Network.None.USUAL, Cluster.USUAL_RESTART_SECONDS);
  }

  /** Counts what each pod holds, and takes what stays off its node. */
  private void hold(Gang gang) {
    boolean stay = serves(gang);
    for (Seen pod : gang.pods()) {
      KubeItem item = pod.item();
      if (item.node().isEmpty() || item.ended()) {
        continue;
      }
      used.merge(item.node(), (int) item.resources().gpus(), Integer::sum);
      if (stay || item.resources().gpus() == 0) {
        stays.merge(item.node(), item.resources(), KubeResources::plus);
      }
    }
  }

  private static boolean serves(Gang gang) {
    return gang.owners().isEmpty()
        && gang.pods().stream()
            .flatMap(pod -> pod.object().objects("metadata", "ownerReferences").stream())
            .anyMatch(owner -> SERVICES.contains(owner.text("kind")));
  }

  /** What it asks for in all: what made its pods may still make more. */
  private static long gpus(Gang gang) {
    return Math.max(asked(gang).gpus(), sum(openPods(gang)).gpus());
  }

  /** A set of jobs owns jobs that ask for the same GPUs again. */
  private static KubeResources asked(Gang gang) {
    List<Seen> tops =
        gang.owners().stream()
            .filter(owner -> !owner.object().text("kind").equals("Job"))
            .filter(owner -> owner.item().resources().gpus() > 0)
            .toList();
    return tops.isEmpty() ? sum(gang.owners()) : tops.getFirst().item().resources();
  }

  private static KubeResources sum(List<Seen> some) {
    return some.stream()
        .map(each -> each.item().resources())
        .reduce(KubeResources.NOTHING, KubeResources::plus);
  }

  private static List<Seen> openPods(Gang gang) {
    return gang.pods().stream()
        .filter(pod -> !pod.item().ended() && pod.item().resources().gpus() > 0)
        .toList();
  }

  private static List<Seen> waitingPods(Gang gang) {
    return openPods(gang).stream().filter(pod -> pod.item().node().isEmpty()).toList();
  }

  private static KubeAsk ask(Seen pod) {
    return KubeAsk.of(pod.object().object("spec"));
  }

  /** By which of the waiting pods may go there. */
  private String kind(KubeNode node) {
    StringBuilder kind = new StringBuilder(node.gpuKind());
    for (int i = 0; i < asks.size(); i++) {
      kind.append(asks.get(i).allows(node) ? "/" + i : "");
    }
    return kind.toString();
  }

  private void job(Gang gang) {
    if (!namespaces.isEmpty() && !namespaces.contains(gang.any().item().namespace())) {
      // It is in the way all the same.
      runs(gang);
      return;
    }
    int running = runs(gang);
    int rest = (int) Math.min(gpus(gang) - running, TraceJobs.MOST_GPUS);
    if (rest > 0) {
      partial += running > 0 ? 1 : 0;
      jobs.add(waits(gang, rest, running > 0));
    }
  }

  /** Its pods that are on nodes which take others too; tells how many GPUs pods hold anywhere. */
  private int runs(Gang gang) {
    List<Seen> on = openPods(gang).stream().filter(pod -> !pod.item().node().isEmpty()).toList();
    int all = (int) sum(on).gpus();
    List<Seen> here =
        on.stream()
            .filter(pod -> {
              KubeNode node = nodes.get(pod.item().node());
              return node != null && node.takesJobs();
            })
            .toList();
    if (!here.isEmpty()) {
      KubeResources sum = sum(here);
      Map<String, Integer> places = new LinkedHashMap<>();
      here.forEach(pod ->
          places.merge(pod.item().node(), (int) pod.item().resources().gpus(), Integer::sum));
      double start =
          here.stream()
              .mapToLong(pod -> pod.item().startSeconds())
              .filter(at -> at != SlurmTime.UNKNOWN)
              .mapToDouble(at -> at)
              .min()
              .orElse(nowSeconds);
      jobs.add(
          seen(
              gang,
              gang.id(),
              SeenJob.State.RUNNING,
              Math.min(start, nowSeconds),
              (int) sum.gpus(),
              "",
              new Demand(sum.cpus() / sum.gpus(), sum.memoryBytes() / sum.gpus()),
              places));
    }
    return all;
  }

  private SeenJob waits(Gang gang, int rest, boolean isRest) {
    List<Seen> pods = waitingPods(gang);
    Set<String> may = new HashSet<>();
    String words = "";
    boolean isEverywhere = true;
    for (KubeAsk ask : pods.stream().map(KubeQueue::ask).distinct().toList()) {
      unknown.addAll(ask.unknown());
      words = ask.words();
      Reach reach = reaches.computeIfAbsent(ask, this::reach);
      may.addAll(reach.kinds);
      isEverywhere &= reach.isEverywhere;
    }
    String held = KubeHolds.because(gang);
    JsonItems workload = gang.workload();
    if (held.isEmpty() && workload != null) {
      held = quotas.because(workload, gpus(gang));
    }
    if (held.isEmpty() && !pods.isEmpty() && may.isEmpty()) {
      held =
          "no node that takes pods is what it asks for"
              + (words.isEmpty() ? ": it tolerates none of their taints" : " (" + words + ")");
    }
    KubeResources sum = pods.isEmpty() ? asked(gang) : sum(pods);
    Where where = new Where(isEverywhere ? Set.of() : may, perServer(gang, pods, rest));
    Demand demand =
        new Demand(
                sum.cpus() / Math.max(1, sum.gpus()), sum.memoryBytes() / Math.max(1, sum.gpus()))
            .on(where);
    return seen(
        gang,
        isRest ? gang.id() + " (its rest)" : gang.id(),
        SeenJob.State.WAITING,
        Double.NaN,
        rest,
        held,
        demand,
        Map.of());
  }

  /** Thousands of pods ask for the same. */
  private Reach reach(KubeAsk ask) {
    Set<String> may = new HashSet<>();
    boolean isEverywhere = true;
    for (KubeNode node : nodes.values()) {
      if (node.takesJobs() && node.gpus() > 0) {
        boolean isAllowed = ask.allows(node);
        isEverywhere &= isAllowed;
        if (isAllowed) {
          may.add(kinds.getOrDefault(node.name(), ""));
        }
      }
    }
    return new Reach(may, isEverywhere);
  }

  /** GPUs on each of its nodes, where nothing else is possible. */
  private int perServer(Gang gang, List<Seen> pods, int rest) {
    Set<Long> sizes =
        pods.stream().map(pod -> pod.item().resources().gpus()).collect(Collectors.toSet());
    long each = sizes.size() == 1 ? sizes.iterator().next() : KubeHolds.gpusOfEachPod(gang);
    int largest = nodes.values().stream().mapToInt(KubeNode::gpus).max().orElse(0);
    boolean isOneOnEach = each == rest || (each > 0 && 2 * each > largest && rest % each == 0);
    return isOneOnEach ? (int) each : 0;
  }

  private SeenJob seen(
      Gang gang,
      String id,
      SeenJob.State state,
      double start,
      int gpus,
      String held,
      Demand demand,
      Map<String, Integer> places) {
    KubeItem item = gang.any().item();
    double submit = nowSeconds;
    for (List<Seen> of : List.of(gang.pods(), gang.owners())) {
      for (Seen each : of) {
        long at = each.item().createdSeconds();
        submit = at == SlurmTime.UNKNOWN ? submit : Math.min(submit, (double) at);
      }
    }
    return new SeenJob(
        id,
        state,
        Double.isNaN(start) ? submit : Math.min(submit, start),
        start,
        Double.NaN,
        Double.isNaN(start) ? 0 : nowSeconds - start,
        gpus,
        KubeHolds.limitSeconds(gang),
        KubeHolds.priority(gang),
        held,
        item.namespace(),
        SlurmJobs.group(item.stem()),
        demand,
        places);
  }

  private List<KubeNode> outOfService() {
    return nodes.values().stream().filter(n -> n.gpus() > 0 && !n.takesJobs()).toList();
  }

  private void note() {
    List<KubeNode> out = outOfService();
    if (!out.isEmpty()) {
      notes.add(
          "%s with %d GPUs %s no pods: %s"
              .formatted(
                  out.size() == 1 ? "1 node" : out.size() + " nodes",
                  out.stream().mapToInt(KubeNode::gpus).sum(),
                  out.size() == 1 ? "takes" : "take",
                  whyNot(out)));
    }
    long served = stays.values().stream().mapToLong(KubeResources::gpus).sum();
    if (served > 0) {
      notes.add("%d GPUs are held by services, which are taken to stay".formatted(served));
    }
    if (partial > 0) {
      notes.add(
          "gangs of which some pods run, and hold GPUs, while the others wait: %d"
              .formatted(partial));
    }
    if (!unknown.isEmpty()) {
      notes.add("%s of waiting pods are not looked at".formatted(String.join(", ", unknown)));
    }
    notes.add(
        "Kubernetes' own scheduler keeps no place for a large gang while smaller ones pass, so a"
            + " large one may start later than told; quotas are not simulated");
  }

  private static String whyNot(List<KubeNode> out) {
    String names =
        out.stream()
            .limit(MOST_NAMED)
            .map(node -> "%s (%s)".formatted(node.name(), node.whyNot()))
            .collect(Collectors.joining(", "));
    int more = out.size() - MOST_NAMED;
    return more > 0 ? names + " and %d more".formatted(more) : names;
  }
}
