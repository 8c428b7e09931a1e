package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources of the configuration LP: for each class of servers its GPUs, its CPUs and memory if
 * they are counted and asked for, and its links if rings reserve; and the uplink of each rack. All
 * are measured as shares of the whole, so every row's capacity is 1.
 *
 * <p>A class holds the servers of one rack that have the same capacities. One row stands for all of
 * its servers, and the optimum is the same as with a row for each: let servers of a class swap
 * places in a solution of the LP with a row for each server. The result is a solution of the same
 * value, and so is the average over all such permutations. There each server of a class has the
 * same load, hence a server is within its capacity if and only if the sum is within the sum. The
 * other way round, a solution by classes is spread over all servers of the class by the same
 * average. A column must still respect each server's own capacity; {@link RingPrices} sees to that.
 */
final class LpRows {
  /** {@link Demand} takes a sum as fitting up to such a share over the whole. */
  static final double ROUNDING = 1 + 1e-9;

  /** Stands for a resource that is not counted. */
  static final int NONE = -1;

  /**
   * Servers of one rack that differ in nothing that the LP sees.
   *
   * @param server one of them
   */
  record ServerClass(Server server, int rack, int count, int gpus, int cpus, int memory, int link) {
    int workers(Demand demand) {
      return server.workers(demand);
    }

    boolean linkHolds(Demand demand) {
      double all = server.nicBytesPerSecond();
      return Demand.fits(demand.ringBytesPerSecond(), all, all);
    }
  }

  private record Key(int rack, int gpus, double cpus, double memoryBytes, double nic) {}

  private final List<List<ServerClass>> byRack = new ArrayList<>();
  private final List<Double> capacities = new ArrayList<>();
  private final int[] uplinks;
  private final double[] uplinkBytesPerSecond;

  LpRows(SlotProblem problem) {
    Cluster cluster = problem.cluster();
    boolean askCpus = problem.jobs().stream().anyMatch(j -> j.demand().cpus() > 0);
    boolean askMemory = problem.jobs().stream().anyMatch(j -> j.demand().memoryBytes() > 0);
    boolean reserve = problem.jobs().stream().anyMatch(j -> j.demand().ringBytesPerSecond() > 0);
    Map<Key, Integer> counts = new LinkedHashMap<>();
    Map<Key, Server> examples = new LinkedHashMap<>();
    for (int s = 0; s < cluster.size(); s++) {
      Server server = cluster.server(s);
      Key key =
          new Key(
              cluster.topology().rack(s),
              server.gpus(),
              askCpus ? server.cpus() : 0,
              askMemory ? server.memoryBytes() : 0,
              reserve ? server.nicBytesPerSecond() : 0);
      counts.merge(key, 1, Integer::sum);
      examples.putIfAbsent(key, server);
    }
    int racks = Math.max(1, cluster.racks().size());
    for (int r = 0; r < racks; r++) {
      byRack.add(new ArrayList<>());
    }
    for (Map.Entry<Key, Server> entry : examples.entrySet()) {
      Key key = entry.getKey();
      int count = counts.getOrDefault(key, 0);
      byRack
          .get(key.rack())
          .add(
              new ServerClass(
                  entry.getValue(),
                  key.rack(),
                  count,
                  row(key.gpus(), count, 1),
                  row(key.cpus(), count, ROUNDING),
                  row(key.memoryBytes(), count, ROUNDING),
                  row(key.nic(), count, ROUNDING)));
    }
    uplinks = new int[racks];
    uplinkBytesPerSecond = new double[racks];
    for (int r = 0; r < racks; r++) {
      double all =
          cluster.racks().isEmpty()
              ? Double.POSITIVE_INFINITY
              : cluster.racks().get(r).uplinkBytesPerSecond();
      uplinkBytesPerSecond[r] = all;
      uplinks[r] = reserve ? row(all, 1, ROUNDING) : NONE;
    }
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

  int racks() {
    return byRack.size();
  }

  List<ServerClass> classes(int rack) {
    return byRack.get(rack);
  }

  boolean uplinkHolds(int rack, Demand demand) {
    double all = uplinkBytesPerSecond[rack];
    return Demand.fits(demand.ringBytesPerSecond(), all, all);
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

  double uplinkPrice(int rack, Demand demand, double[] prices) {
    return price(uplinks[rack], demand.ringBytesPerSecond(), prices);
  }

  /** Prices at which each GPU of the cluster costs so much and all else nothing. */
  double[] gpuPrices(double each) {
    double[] prices = new double[count()];
    for (List<ServerClass> classes : byRack) {
      for (ServerClass c : classes) {
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

  void useUplink(double[] usage, int rack, Demand demand) {
    add(usage, uplinks[rack], demand.ringBytesPerSecond());
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
