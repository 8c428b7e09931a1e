package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The nodes that take jobs, as servers of a cluster. Nodes that no job can tell apart are of one
 * kind: the same partitions, type of GPU and features, and not asked for by name.
 */
final class SlurmServers {
  private final List<SlurmNode> nodes;
  private final Map<String, SlurmNode> byName = new LinkedHashMap<>();
  private final Map<String, SlurmPartition> partitions = new HashMap<>();
  private final Map<String, String> kinds = new HashMap<>();
  private final Set<String> named = new HashSet<>();

  SlurmServers(List<SlurmNode> nodes, List<SlurmPartition> partitions) {
    this.nodes = nodes;
    nodes.stream().filter(SlurmNode::takesJobs).forEach(node -> byName.put(node.name(), node));
    partitions.forEach(each -> this.partitions.put(each.name(), each));
  }

  /** Looks at what jobs ask for, before any is placed. */
  void told(List<SeenJob> jobs) {
    jobs.forEach(job -> named.addAll(job.asked().onNodes()));
    byName.values().forEach(node -> kinds.put(node.name(), kind(node)));
  }

  private String kind(SlurmNode node) {
    return String.join(
        "/",
        node.gpuType(),
        String.join("+", new TreeSet<>(node.partitions())),
        String.join("+", new TreeSet<>(node.features())),
        named.contains(node.name()) ? node.name() : "");
  }

  boolean takesJobs(String node) {
    return byName.containsKey(node);
  }

  List<SlurmNode> all() {
    return nodes;
  }

  /**
   * A cluster of them.
   *
   * @param countsMemory whether jobs share memory out
   */
  Cluster cluster(boolean countsMemory) {
    if (byName.isEmpty()) {
      throw new BadInput(
          nodes.isEmpty()
              ? "Slurm tells of no node with GPUs (scontrol show node: Gres=gpu:N)"
              : "none of the %d nodes with GPUs takes jobs: %s"
                  .formatted(nodes.size(), SlurmQueue.whyNot(nodes)));
    }
    List<Server> servers = new ArrayList<>();
    for (SlurmNode node : byName.values()) {
      servers.add(
          new Server(
                  node.name(),
                  node.gpus(),
                  kinds.getOrDefault(node.name(), ""),
                  "r1",
                  Server.USUAL_NIC_BYTES_PER_SECOND,
                  Server.USUAL_INTRA_BYTES_PER_SECOND)
              .limited(
                  node.gpus(),
                  node.cpus() > 0 ? node.cpus() : Double.POSITIVE_INFINITY,
                  countsMemory && node.memoryBytes() > 0
                      ? node.memoryBytes()
                      : Double.POSITIVE_INFINITY));
    }
    return new Cluster("slurm", servers, Network.None.USUAL, Cluster.USUAL_RESTART_SECONDS);
  }

  /** The nodes that a job may have. */
  List<SlurmNode> allowed(AskedPlace asked) {
    return byName.values().stream()
        .filter(node ->
            (asked.partitions().isEmpty()
                    || asked.partitions().stream().anyMatch(name -> isIn(node, name)))
                && (asked.gpuType().isEmpty() || asked.gpuType().equals(node.gpuType()))
                && node.has(asked.features())
                && (asked.onNodes().isEmpty()
                    || asked.onNodes().size() < asked.nodes()
                    || asked.onNodes().contains(node.name())))
        .toList();
  }

  private boolean isIn(SlurmNode node, String partition) {
    SlurmPartition known = partitions.get(partition);
    return known == null
        ? node.partitions().contains(partition)
        : known.nodes().contains(node.name());
  }

  Where where(List<SlurmNode> allowed, int perServer) {
    Set<String> of =
        allowed.size() == byName.size()
            ? Set.of()
            : allowed.stream()
                .map(node -> kinds.getOrDefault(node.name(), ""))
                .collect(Collectors.toSet());
    return new Where(of, perServer);
  }

  /** The highest of a job's partitions. */
  double tier(AskedPlace asked) {
    return asked.partitions().stream()
        .map(partitions::get)
        .filter(partition -> partition != null)
        .mapToDouble(SlurmPartition::tier)
        .max()
        .orElse(1);
  }

  /** The longest that anything may run on a node. */
  double mostSeconds(SlurmNode node) {
    return node.partitions().stream()
        .map(partitions::get)
        .mapToDouble(known -> known == null ? Double.POSITIVE_INFINITY : known.mostSeconds())
        .max()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** A job of the past: others like it go where it ran, in the same parts. */
  SeenJob ended(SeenJob job) {
    Set<Integer> shares = new HashSet<>(job.gpusByServer().values());
    List<SlurmNode> on =
        job.gpusByServer().keySet().stream().filter(byName::containsKey).map(this::node).toList();
    boolean known = !on.isEmpty() && on.size() == job.gpusByServer().size();
    Where where =
        known ? where(like(on), shares.size() == 1 ? shares.iterator().next() : 0) : Where.ANY;
    Demand demand = new Demand(job.demand().cpus(), job.demand().memoryBytes()).on(where);
    return job.with(job.gpus(), demand, job.gpusByServer(), 0, "");
  }

  private SlurmNode node(String name) {
    SlurmNode node = byName.get(name);
    if (node == null) {
      throw new IllegalArgumentException(name);
    }
    return node;
  }

  private List<SlurmNode> like(List<SlurmNode> some) {
    Set<String> of =
        some.stream().map(node -> kinds.getOrDefault(node.name(), "")).collect(Collectors.toSet());
    return byName.values().stream()
        .filter(node -> of.contains(kinds.getOrDefault(node.name(), "")))
        .toList();
  }
}
