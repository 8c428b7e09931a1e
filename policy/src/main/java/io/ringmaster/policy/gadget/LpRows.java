package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The resources of the configuration LP: for each class of servers its GPUs, its CPUs and memory if
 * they are counted and asked for, and its links if rings reserve; and the uplinks of each class of
 * racks, and of pods. All are measured as shares of the whole, so every row's capacity is 1.
 *
 * <p>A class of servers holds those of one rack that have the same capacities. A class of racks
 * holds those with the same uplink and the same servers; their classes of servers are one. So does
 * a class of pods with racks. One row stands for all servers of a class, and the optimum is the
 * same as with a row for each: let servers of a class swap places, or racks or pods of a class with
 * all that is in them, in a solution of the LP with a row for each server and rack. The result is a
 * solution of the same value, and so is the average over all such permutations. There each server
 * of a class has the same load, hence each is within its capacity if and only if the sum is within
 * the sum; and so it is with uplinks. The other way round, a solution by classes is spread over all
 * servers of the class by the same average. A column must still respect each server's own capacity;
 * {@link RingPrices} sees to that.
 */
final class LpRows {
  /** {@link Demand} takes a sum as fitting up to such a share over the whole. */
  static final double ROUNDING = 1 + 1e-9;

  /** Stands for a resource that is not counted. */
  private static final int NONE = -1;

  /**
   * Servers that differ in nothing that the LP sees.
   *
   * @param server one of them
   * @param count in each rack of the class of racks
   * @param gpus the row of its GPUs, and so on
   */
  record ServerClass(Server server, int count, int gpus, int cpus, int memory, int link) {
    int workers(Demand demand) {
      return server.workers(demand);
    }

    boolean linkHolds(Demand demand) {
      double all = server.nicBytesPerSecond();
      return Demand.fits(demand.ringBytesPerSecond(), all, all);
    }
  }

  /**
   * Racks that differ in nothing that the LP sees.
   *
   * @param count in each pod of the class of pods
   */
  record RackClass(int count, double uplinkBytesPerSecond, int uplink, List<ServerClass> servers) {
    boolean uplinkHolds(Demand demand) {
      return Demand.fits(demand.ringBytesPerSecond(), uplinkBytesPerSecond, uplinkBytesPerSecond);
    }
  }

  /** Pods that differ in nothing that the LP sees; one, without a limit, where there are none. */
  record PodClass(int count, double uplinkBytesPerSecond, int uplink, List<RackClass> racks) {
    boolean uplinkHolds(Demand demand) {
      return Demand.fits(demand.ringBytesPerSecond(), uplinkBytesPerSecond, uplinkBytesPerSecond);
    }
  }

  private record ServerKey(int gpus, double cpus, double memoryBytes, double nic) {}

  private record RackKey(double uplink, Map<ServerKey, Integer> counts) {}

  private record PodKey(double uplink, Map<RackKey, Integer> counts) {}

  private final List<PodClass> pods = new ArrayList<>();
  private final List<Double> capacities = new ArrayList<>();

  LpRows(SlotProblem problem) {
    Cluster cluster = problem.cluster();
    boolean askCpus = problem.jobs().stream().anyMatch(j -> j.demand().cpus() > 0);
    boolean askMemory = problem.jobs().stream().anyMatch(j -> j.demand().memoryBytes() > 0);
    boolean reserve = problem.jobs().stream().anyMatch(j -> j.demand().ringBytesPerSecond() > 0);
    List<Map<ServerKey, Integer>> inRack = new ArrayList<>();
    for (int r = Math.max(1, cluster.racks().size()); r > 0; r--) {
      inRack.add(new LinkedHashMap<>());
    }
    Map<ServerKey, Server> examples = new HashMap<>();
    for (int s = 0; s < cluster.size(); s++) {
      Server server = cluster.server(s);
      ServerKey key =
          new ServerKey(
              server.gpus(),
              askCpus ? server.cpus() : 0,
              askMemory ? server.memoryBytes() : 0,
              reserve ? server.nicBytesPerSecond() : 0);
      inRack.get(cluster.topology().rack(s)).merge(key, 1, Integer::sum);
      examples.putIfAbsent(key, server);
    }
    Map<Optional<Pod>, Map<RackKey, Integer>> inPod = new LinkedHashMap<>();
    for (int r = 0; r < inRack.size(); r++) {
      Rack rack = cluster.racks().isEmpty() ? null : cluster.racks().get(r);
      Pod pod = rack == null || !reserve ? null : rack.pod();
      double uplink =
          rack == null || !reserve ? Double.POSITIVE_INFINITY : rack.uplinkBytesPerSecond();
      inPod
          .computeIfAbsent(Optional.ofNullable(pod), _ -> new LinkedHashMap<>())
          .merge(new RackKey(uplink, inRack.get(r)), 1, Integer::sum);
    }
    Map<PodKey, Integer> podCounts = new LinkedHashMap<>();
    inPod.forEach((pod, racks) -> {
      double uplink = pod.map(Pod::uplinkBytesPerSecond).orElse(Double.POSITIVE_INFINITY);
      podCounts.merge(new PodKey(uplink, racks), 1, Integer::sum);
    });
    podCounts.forEach((key, count) -> {
      List<RackClass> racks = new ArrayList<>();
      key.counts().forEach((rack, each) -> racks.add(racks(rack, each, count, examples)));
      pods.add(new PodClass(count, key.uplink(), row(key.uplink(), count, ROUNDING), racks));
    });
  }

  /** So many racks in each of so many pods. */
  private RackClass racks(RackKey key, int inEach, int pods, Map<ServerKey, Server> examples) {
    int count = inEach * pods;
    List<ServerClass> classes = new ArrayList<>();
    key.counts()
        .forEach((server, each) ->
            classes.add(
                new ServerClass(
                    Objects.requireNonNull(examples.get(server)),
                    each,
                    row(server.gpus(), each * count, 1),
                    row(server.cpus(), each * count, ROUNDING),
                    row(server.memoryBytes(), each * count, ROUNDING),
                    row(server.nic(), each * count, ROUNDING))));
    return new RackClass(inEach, key.uplink(), row(key.uplink(), count, ROUNDING), classes);
  }

  private int row(double each, int count, double rounding) {
    // Where there is nothing, no column can ask for any.
    if (each <= 0 || !Double.isFinite(each)) {
      return NONE;
    }
    capacities.add(each * count * rounding);
    return capacities.size() - 1;
  }

  int count() {
    return capacities.size();
  }

  List<PodClass> pods() {
    return pods;
  }

  /** Of all pods. */
  List<RackClass> racks() {
    return pods.stream().flatMap(pod -> pod.racks().stream()).toList();
  }

  /** What one worker costs on a server of a class. */
  double workerPrice(ServerClass c, Demand demand, double[] prices) {
    return price(c.gpus(), 1, prices)
        + price(c.cpus(), demand.cpus(), prices)
        + price(c.memory(), demand.memoryBytes(), prices);
  }

  /** What a ring costs on the link of one server of a class. */
  double linkPrice(ServerClass c, Demand demand, double[] prices) {
    return price(c.link(), demand.ringBytesPerSecond(), prices);
  }

  double uplinkPrice(RackClass rack, Demand demand, double[] prices) {
    return price(rack.uplink(), demand.ringBytesPerSecond(), prices);
  }

  double uplinkPrice(PodClass pod, Demand demand, double[] prices) {
    return price(pod.uplink(), demand.ringBytesPerSecond(), prices);
  }

  /** Prices at which each GPU of the cluster costs so much and all else nothing. */
  double[] gpuPrices(double each) {
    double[] prices = new double[count()];
    for (RackClass rack : racks()) {
      for (ServerClass c : rack.servers()) {
        if (c.gpus() != NONE) {
          prices[c.gpus()] = each * capacities.get(c.gpus());
        }
      }
    }
    return prices;
  }

  /** Adds workers on servers of a class; with links, if their ring goes on elsewhere. */
  void use(double[] usage, ServerClass c, Demand demand, int workers, int linksUsed) {
    add(usage, c.gpus(), workers);
    add(usage, c.cpus(), workers * demand.cpus());
    add(usage, c.memory(), workers * demand.memoryBytes());
    add(usage, c.link(), linksUsed * demand.ringBytesPerSecond());
  }

  void useUplink(double[] usage, RackClass rack, Demand demand) {
    add(usage, rack.uplink(), demand.ringBytesPerSecond());
  }

  void useUplink(double[] usage, PodClass pod, Demand demand) {
    add(usage, pod.uplink(), demand.ringBytesPerSecond());
  }

  private double price(int row, double amount, double[] prices) {
    return row == NONE || amount == 0 ? 0 : amount * prices[row] / capacities.get(row);
  }

  private void add(double[] usage, int row, double amount) {
    if (row != NONE) {
      usage[row] += amount / capacities.get(row);
    }
  }
}
