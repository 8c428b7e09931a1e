package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.Topology;
import io.ringmaster.model.collect.IntList;
import java.util.stream.IntStream;

/**
 * What is free beside GPUs: CPUs and memory of each server, and bandwidth that nobody has reserved.
 * A ring takes as much of a link in one direction as in the other, so one number stands for both.
 */
final class FreeRest {
  private final Cluster cluster;
  private final Topology topology;
  private final double[] cpus;
  private final double[] memoryBytes;
  private final double[] nic;
  private final double[] uplink;
  private final IntList crossed = new IntList();

  FreeRest(Cluster cluster) {
    this.cluster = cluster;
    this.topology = cluster.topology();
    this.cpus = cluster.servers().stream().mapToDouble(Server::cpus).toArray();
    this.memoryBytes = cluster.servers().stream().mapToDouble(Server::memoryBytes).toArray();
    this.nic = cluster.servers().stream().mapToDouble(Server::nicBytesPerSecond).toArray();
    this.uplink = IntStream.range(0, topology.switches()).mapToDouble(topology::uplink).toArray();
  }

  FreeRest(FreeRest other) {
    this.cluster = other.cluster;
    this.topology = other.topology;
    this.cpus = other.cpus.clone();
    this.memoryBytes = other.memoryBytes.clone();
    this.nic = other.nic.clone();
    this.uplink = other.uplink.clone();
  }

  int workers(int server, Demand demand, int atMost) {
    return cluster.server(server).workers(demand, atMost, cpus[server], memoryBytes[server]);
  }

  /** Nobody is on a server: what rounding has added or taken is forgotten. */
  void isIdle(int server) {
    cpus[server] = cluster.server(server).cpus();
    memoryBytes[server] = cluster.server(server).memoryBytes();
    nic[server] = cluster.server(server).nicBytesPerSecond();
  }

  void copyRoom(int server, int gpus, ServerRoom into) {
    into.set(gpus, cpus[server], memoryBytes[server], nic[server], cluster.server(server));
  }

  boolean linkHolds(int server, Demand demand) {
    return Demand.fits(
        demand.ringBytesPerSecond(), nic[server], cluster.server(server).nicBytesPerSecond());
  }

  /** Whether a ring can leave a rack or pod. */
  boolean uplinkHolds(int which, Demand demand) {
    return uplink.length == 0
        || Demand.fits(demand.ringBytesPerSecond(), uplink[which], topology.uplink(which));
  }

  boolean holds(Placement placement, Demand demand) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      if (workers(server, demand, placement.gpus(i)) < placement.gpus(i)
          || (placement.crossesServers() && !linkHolds(server, demand))) {
        return false;
      }
    }
    topology.uplinks(placement, crossed);
    for (int i = 0; i < crossed.size(); i++) {
      if (!uplinkHolds(crossed.get(i), demand)) {
        return false;
      }
    }
    return true;
  }

  /** Takes what a job has at a placement (-1), or gives it back (1). */
  void change(Placement placement, Demand demand, int sign) {
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      cpus[server] += sign * demand.cpus() * placement.gpus(i);
      memoryBytes[server] += sign * demand.memoryBytes() * placement.gpus(i);
    }
    if (demand.ringBytesPerSecond() == 0 || !placement.crossesServers()) {
      return;
    }
    for (int i = 0; i < placement.size(); i++) {
      nic[placement.server(i)] += sign * demand.ringBytesPerSecond();
    }
    topology.uplinks(placement, crossed);
    for (int i = 0; i < crossed.size(); i++) {
      uplink[crossed.get(i)] += sign * demand.ringBytesPerSecond();
    }
  }
}
