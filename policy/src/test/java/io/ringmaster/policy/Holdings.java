package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Who holds what on a cluster, as a plain list: each question goes through all of it. Amounts are
 * small whole numbers, so sums are exact and often use up all there is.
 */
public final class Holdings {
  private record Holding(Placement placement, Demand demand) {}

  private final Cluster cluster;
  private final List<Holding> held = new ArrayList<>();

  public Holdings(Cluster cluster) {
    this.cluster = cluster;
  }

  /** One to seven servers in up to three racks, each with CPUs, memory and links, or not. */
  public static Cluster cluster(RandomGenerator random) {
    List<Rack> racks = new ArrayList<>();
    int count = random.nextInt(4);
    for (int r = 0; r < count; r++) {
      racks.add(new Rack("r" + r, random.nextInt(1, 9)));
    }
    List<Server> servers = new ArrayList<>();
    int size = random.nextInt(1, 8);
    for (int s = 0; s < size; s++) {
      servers.add(
          new Server(
              Cluster.serverName(s),
              random.nextInt(1, 9),
              "v100",
              "r" + random.nextInt(Math.max(1, count)),
              random.nextInt(1, 9),
              1e10,
              random.nextBoolean() ? Double.POSITIVE_INFINITY : random.nextInt(1, 20),
              random.nextBoolean() ? Double.POSITIVE_INFINITY : random.nextInt(1, 20),
              300));
    }
    Network network =
        random.nextBoolean() ? Network.Contention.USUAL.reserving(1) : Network.None.USUAL;
    return new Cluster("random", servers, racks, network, 0);
  }

  /** What a job might take there. */
  public static Demand demand(RandomGenerator random, Cluster cluster) {
    return cluster.limitsMoreThanGpus()
        ? new Demand(
            random.nextInt(4),
            random.nextInt(4),
            cluster.network().reservesFixed() ? random.nextInt(5) : 0)
        : Demand.NONE;
  }

  /** Some GPUs of some servers, whether they are free or not. */
  public static Placement anywhere(RandomGenerator random, Cluster cluster) {
    int[] used = random.ints(0, cluster.size()).limit(random.nextInt(1, 5)).distinct().toArray();
    return Placement.of(
        used, IntStream.of(used).map(s -> random.nextInt(1, cluster.gpus(s) + 1)).toArray());
  }

  public void take(Placement placement, Demand demand) {
    held.add(new Holding(placement, demand));
  }

  public int size() {
    return held.size();
  }

  public Placement placement(int i) {
    return held.get(i).placement();
  }

  public Demand demand(int i) {
    return held.get(i).demand();
  }

  public void release(int i) {
    held.remove(i);
  }

  private static int on(Placement placement, int server) {
    int gpus = 0;
    for (int i = 0; i < placement.size(); i++) {
      gpus += placement.server(i) == server ? placement.gpus(i) : 0;
    }
    return gpus;
  }

  private boolean crosses(Placement placement, int rack) {
    Set<String> racks = new HashSet<>();
    for (int i = 0; i < placement.size(); i++) {
      racks.add(cluster.server(placement.server(i)).rack());
    }
    return racks.size() > 1 && racks.contains(cluster.racks().get(rack).name());
  }

  private double freeLink(int server) {
    double free = cluster.server(server).nicBytesPerSecond();
    for (Holding each : held) {
      boolean there = each.placement.size() > 1 && on(each.placement, server) > 0;
      free -= there ? each.demand.ringBytesPerSecond() : 0;
    }
    return free;
  }

  /** Workers that CPUs, memory and GPUs of a server leave room for. */
  public int workers(int server, Demand demand) {
    int gpus = cluster.gpus(server);
    double cpus = cluster.server(server).cpus();
    double memory = cluster.server(server).memoryBytes();
    for (Holding each : held) {
      int there = on(each.placement, server);
      gpus -= there;
      cpus -= there * each.demand.cpus();
      memory -= there * each.demand.memoryBytes();
    }
    int workers = 0;
    while (workers < gpus
        && (workers + 1) * demand.cpus() <= cpus
        && (workers + 1) * demand.memoryBytes() <= memory) {
      workers++;
    }
    return workers;
  }

  public int workersOfRing(int server, Demand demand) {
    return demand.ringBytesPerSecond() <= freeLink(server) ? workers(server, demand) : 0;
  }

  public boolean leavesRack(int rack, Demand demand) {
    double free = cluster.racks().get(rack).uplinkBytesPerSecond();
    for (Holding each : held) {
      free -= crosses(each.placement, rack) ? each.demand.ringBytesPerSecond() : 0;
    }
    return demand.ringBytesPerSecond() <= free;
  }

  public boolean holds(Placement placement, Demand demand) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      int room = placement.size() > 1 ? workersOfRing(server, demand) : workers(server, demand);
      if (room < placement.gpus(i)) {
        return false;
      }
    }
    for (int r = 0; r < cluster.racks().size(); r++) {
      if (crosses(placement, r) && !leavesRack(r, demand)) {
        return false;
      }
    }
    return true;
  }

  /** Whether any servers at all hold so many workers: every set of servers is tried. */
  public boolean holdsSomewhere(int workers, Demand demand) {
    for (int set = 1; set < 1 << cluster.size(); set++) {
      int[] used = servers(set);
      int[] room =
          IntStream.of(used)
              .map(s -> used.length > 1 ? workersOfRing(s, demand) : workers(s, demand))
              .toArray();
      if (IntStream.of(room).sum() >= workers
          && IntStream.of(room).allMatch(r -> r > 0)
          && holds(Placement.of(used, room), demand)) {
        return true;
      }
    }
    return false;
  }

  private int[] servers(int set) {
    return IntStream.range(0, cluster.size()).filter(s -> (set >> s & 1) == 1).toArray();
  }
}
