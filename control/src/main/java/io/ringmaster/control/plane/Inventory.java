package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.GpuPower;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes: what the cluster file says of them, put together with what the engine finds. The file
 * wins; but of GPUs, CPUs and memory nobody is given more than is there, whatever the file says.
 * Without a file, what the engine finds is the cluster.
 */
public final class Inventory {
  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);
  private static final String RACK = "r1";

  private final PlaneConfig config;

  /** What the file says, by name; empty without one. */
  private final Map<String, Server> declared = new LinkedHashMap<>();

  private final Map<String, NodeRow> rows = new TreeMap<>();
  private final Set<String> said = new HashSet<>();
  private @Nullable Cluster whole;

  /** What became of the nodes: rows that are new or have changed, and names that are gone. */
  record Change(List<NodeRow> rows, List<String> gone) {
    boolean isEmpty() {
      return rows.isEmpty() && gone.isEmpty();
    }
  }

  /** Nodes as last stored. Those that were never seen are not up. */
  public Inventory(PlaneConfig config, Collection<NodeRow> stored) {
    this.config = config;
    for (Server server : config.cluster().servers()) {
      rows.put(server.name(), new NodeRow(Node.unseen(server)));
      if (config.declared()) {
        declared.put(server.name(), server);
      }
    }
    stored.forEach(row -> rows.put(row.name(), row));
  }

  /** What an engine finds, where no file says more: all that is not known is as usual. */
  public static Cluster found(String name, Collection<Node> nodes) {
    return new Cluster(
        name,
        nodes.stream().filter(node -> node.gpus() > 0).map(Inventory::server).toList(),
        Network.Contention.USUAL,
        Cluster.USUAL_RESTART_SECONDS);
  }

  private static Server server(Node node) {
    String gpu = node.gpu().isEmpty() ? "gpu" : node.gpu();
    return new Server(
        node.name(),
        node.gpus(),
        NodeMarks.kind(gpu, node.labels()),
        node.path().isEmpty() ? RACK : node.path().getFirst(),
        Double.isNaN(node.nicBytesPerSecond())
            ? Server.USUAL_NIC_BYTES_PER_SECOND
            : node.nicBytesPerSecond(),
        Server.USUAL_INTRA_BYTES_PER_SECOND,
        node.cpus(),
        node.memoryBytes(),
        GpuPower.watts(gpu));
  }

  /** All nodes: those of the file in its order, then the others by name. */
  public List<NodeRow> rows() {
    List<NodeRow> ordered = new ArrayList<>();
    declared.keySet().forEach(name -> ordered.add(rows.get(name)));
    rows.values().stream().filter(row -> !declared.containsKey(row.name())).forEach(ordered::add);
    return ordered;
  }

  @Nullable NodeRow row(String name) {
    return rows.get(name);
  }

  void put(NodeRow row) {
    rows.put(row.name(), row);
    whole = null;
  }

  /** What the file says of a node; null: it does not name it. */
  public @Nullable Server declared(String name) {
    return declared.get(name);
  }

  /** A node as it counts: as it was found, with what the file says of it. */
  public Node merged(NodeRow row) {
    Node found = row.node();
    Server server = declared.get(row.name());
    if (server == null) {
      return found;
    }
    List<String> path = new ArrayList<>(List.of(server.rack()));
    path.addAll(found.path().stream().skip(1).toList());
    return new Node(
        found.name(),
        found.gpus(),
        server.gpu(),
        Math.min(server.cpus(), found.cpus()),
        Math.min(server.memoryBytes(), found.memoryBytes()),
        server.nicBytesPerSecond(),
        path,
        found.labels(),
        found.others(),
        found.up());
  }

  /** All nodes with all they have, whether or not they are up and whoever holds what. */
  Cluster whole() {
    Cluster known = whole;
    if (known == null) {
      known = cluster();
      whole = known;
    }
    return known;
  }

  private Cluster cluster() {
    Cluster start = config.cluster();
    List<Server> servers = new ArrayList<>();
    declared.values().forEach(server -> servers.add(marked(server)));
    rows.values().stream()
        .filter(row -> row.gpus() > 0 && !declared.containsKey(row.name()))
        .forEach(row -> servers.add(server(row.node())));
    if (servers.isEmpty()) {
      return start;
    }
    List<Rack> racks = new ArrayList<>(start.racks());
    if (!racks.isEmpty()) {
      Set<String> named = racks.stream().map(Rack::name).collect(Collectors.toSet());
      // The file cannot know how a rack is connected that it does not name: nothing is in the way.
      servers.stream()
          .filter(server -> !named.contains(server.rack()))
          .collect(
              Collectors.groupingBy(
                  Server::rack, TreeMap::new, Collectors.summingDouble(Server::nicBytesPerSecond)))
          .forEach((name, uplink) -> racks.add(new Rack(name, uplink, podOf(start, name, uplink))));
    }
    return new Cluster(start.name(), servers, racks, start.network(), start.restartSeconds())
        .costing(start.startSeconds(), start.restartSeconds());
  }

  /** The same nodes pod by pod and rack by rack: ranks go round the ring in this order. */
  Allocation inRingOrder(Allocation allocation) {
    Cluster cluster = whole();
    Places places = new Places(cluster);
    if (cluster.topology().switches() < 2 || !places.knows(allocation)) {
      return allocation;
    }
    Map<String, Allocation.Share> byNode = new HashMap<>();
    allocation.shares().forEach(share -> byNode.put(share.node(), share));
    return new Allocation(
        Arrays.stream(cluster.topology().ringOrder(places.placement(allocation)))
            .mapToObj(server -> Objects.requireNonNull(byNode.get(cluster.server(server).name())))
            .toList());
  }

  /** A pod for a rack that the file does not name, if it has pods. */
  private static @Nullable Pod podOf(Cluster start, String rack, double uplink) {
    return start.pods().isEmpty()
        ? null
        : start.pods().stream()
            .filter(pod -> pod.name().equals(rack))
            .findFirst()
            .orElseGet(() -> new Pod(rack, uplink));
  }

  private Server marked(Server server) {
    NodeRow row = rows.get(server.name());
    String kind = row == null ? server.gpu() : NodeMarks.kind(server.gpu(), row.node().labels());
    return new Server(
        server.name(),
        server.gpus(),
        kind,
        server.rack(),
        server.nicBytesPerSecond(),
        server.intraBytesPerSecond(),
        server.cpus(),
        server.memoryBytes(),
        server.gpuWatts());
  }

  /** What may be given away now: open nodes, each with what is there and not held by others. */
  List<Server> open() {
    List<Server> servers = new ArrayList<>();
    for (Server server : whole().servers()) {
      NodeRow row = rows.get(server.name());
      if (row != null && row.isOpen()) {
        Node node = merged(row);
        servers.add(
            server.limited(
                usableGpus(server.name()),
                Math.max(0, node.cpus() - node.others().cpus()),
                Math.max(0, node.memoryBytes() - node.others().memoryBytes())));
      }
    }
    return servers;
  }

  /** GPUs of a node that may be given away, or are given away already; 0 if it is not open. */
  int usableGpus(String name) {
    NodeRow row = rows.get(name);
    if (row == null || !row.isOpen()) {
      return 0;
    }
    Server server = declared.get(name);
    int gpus = server == null ? row.gpus() : Math.min(server.gpus(), row.gpus());
    return Math.max(0, gpus - row.node().others().gpus());
  }

  /**
   * Takes in all nodes that the engine finds. One that it finds no more is not up; it is gone if
   * nobody has a reason to remember it.
   *
   * @param used names of nodes that jobs have GPUs of
   */
  Change observe(List<Node> told, Supplier<Set<String>> used) {
    Map<String, Node> byName = new HashMap<>();
    told.forEach(node -> byName.put(node.name(), node));
    List<NodeRow> changed = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (Node node : told) {
      NodeRow before = rows.get(node.name());
      change(before, node, changed);
    }
    for (NodeRow before : List.copyOf(rows.values())) {
      if (!byName.containsKey(before.name())) {
        change(before, before.node().up(false), changed);
        if (!declared.containsKey(before.name()) && !before.drained()) {
          missing.add(before.name());
        }
      }
    }
    if (!missing.isEmpty()) {
      missing.removeAll(used.get());
      rows.keySet().removeAll(missing);
      changed.removeIf(row -> missing.contains(row.name()));
      whole = null;
    }
    differences(told).stream().filter(said::add).forEach(LOG::warn);
    return new Change(changed, missing);
  }

  private void change(@Nullable NodeRow before, Node now, List<NodeRow> changed) {
    NodeRow after =
        before == null ? new NodeRow(now) : new NodeRow(now, before.drained(), before.reason());
    if (!after.equals(before)) {
      put(after);
      changed.add(after);
    }
  }

  /** Where the file and the engine do not agree, in words. */
  List<String> differences(List<Node> told) {
    List<String> words = new ArrayList<>();
    Set<String> missing = new HashSet<>(declared.keySet());
    for (Node node : told) {
      Server server = declared.get(node.name());
      missing.remove(node.name());
      if (server != null && node.up()) {
        compare(server, node, words);
      } else if (server == null && !declared.isEmpty()) {
        words.add(
            "node %s: the cluster file does not name it, the engine found it with %d GPUs; it is used"
                .formatted(node.name(), node.gpus()));
      }
    }
    declared.keySet().stream()
        .filter(missing::contains)
        .forEach(name ->
            words.add(
                "node %s: the cluster file names it, the engine did not find it".formatted(name)));
    return words;
  }

  private void compare(Server server, Node node, List<String> words) {
    if (server.gpus() != node.gpus()) {
      words.add(
          differ(node, server.gpus() + " GPUs", Integer.toString(node.gpus()))
              + "; %d are used".formatted(Math.min(server.gpus(), node.gpus())));
    }
    if (!node.gpu().isEmpty() && !node.gpu().equals(server.gpu())) {
      words.add(differ(node, "GPUs of kind " + server.gpu(), node.gpu()));
    }
    if (areFar(server.cpus(), node.cpus())) {
      words.add(differ(node, "%.0f CPUs".formatted(server.cpus()), "%.0f".formatted(node.cpus())));
    }
    if (areFar(server.memoryBytes(), node.memoryBytes())) {
      words.add(
          differ(
              node,
              "%.0f GB of memory".formatted(server.memoryBytes() / 1e9),
              "%.0f GB".formatted(node.memoryBytes() / 1e9)));
    }
    if (!config.cluster().racks().isEmpty()
        && !node.path().isEmpty()
        && !node.path().getFirst().equals(server.rack())) {
      words.add(differ(node, "rack " + server.rack(), node.path().getFirst()));
    }
  }

  private static boolean areFar(double file, double found) {
    return Double.isFinite(file) && Double.isFinite(found) && Math.abs(file - found) > 0.01 * file;
  }

  private static String differ(Node node, String file, String found) {
    return "node %s: the cluster file says %s, the engine found %s"
        .formatted(node.name(), file, found);
  }
}
