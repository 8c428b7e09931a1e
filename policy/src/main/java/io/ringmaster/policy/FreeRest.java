package io.ringmaster.policy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.model.Topology;

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
  private final int[] usesRack;

  FreeRest(Cluster cluster) {
    this.cluster = cluster;
    this.topology = cluster.topology();
    this.cpus = cluster.servers().stream().mapToDouble(Server::cpus).toArray();
    this.memoryBytes = cluster.servers().stream().mapToDouble(Server::memoryBytes).toArray();
    this.nic = cluster.servers().stream().mapToDouble(Server::nicBytesPerSecond).toArray();
    this.uplink = cluster.racks().stream().mapToDouble(Rack::uplinkBytesPerSecond).toArray();
    this.usesRack = new int[uplink.length];
  }

  FreeRest(FreeRest other) {
    this.cluster = other.cluster;
    this.topology = other.topology;
    this.cpus = other.cpus.clone();
    this.memoryBytes = other.memoryBytes.clone();
    this.nic = other.nic.clone();
    this.uplink = other.uplink.clone();
    this.usesRack = new int[uplink.length];
  }

  int workers(int server, Demand demand, int atMost) {
    int byCpus = Demand.workers(cpus[server], demand.cpus(), atMost);
    return Demand.workers(memoryBytes[server], demand.memoryBytes(), byCpus);
  }

  /** Nobody is on a server: what rounding has added or taken is forgotten. */
  void isIdle(int server) {
    cpus[server] = cluster.server(server).cpus();
    memoryBytes[server] = cluster.server(server).memoryBytes();
    nic[server] = cluster.server(server).nicBytesPerSecond();
  }

  void copyRoom(int server, int gpus, ServerRoom into) {
    into.set(
        gpus,
        cpus[server],
        memoryBytes[server],
        nic[server],
        cluster.server(server).nicBytesPerSecond());
  }

  boolean linkHolds(int server, Demand demand) {
    return Demand.fits(
        demand.ringBytesPerSecond(), nic[server], cluster.server(server).nicBytesPerSecond());
  }

  boolean uplinkHolds(int rack, Demand demand) {
    return uplink.length == 0
        || Demand.fits(
            demand.ringBytesPerSecond(),
            uplink[rack],
            cluster.racks().get(rack).uplinkBytesPerSecond());
  }

  boolean holds(Placement placement, Demand demand) {
    boolean crossesRacks = placement.crossesServers() && topology.crossesRacks(placement);
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      if (workers(server, demand, placement.gpus(i)) < placement.gpus(i)
          || (placement.crossesServers() && !linkHolds(server, demand))
          || (crossesRacks && !uplinkHolds(topology.rack(server), demand))) {
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
    boolean crossesRacks = topology.crossesRacks(placement);
    for (int i = 0; i < placement.size(); i++) {
      int server = placement.server(i);
      nic[server] += sign * demand.ringBytesPerSecond();
      if (crossesRacks) {
        usesRack[topology.rack(server)] = 1;
      }
    }
    for (int r = 0; crossesRacks && r < usesRack.length; r++) {
      uplink[r] += sign * demand.ringBytesPerSecond() * usesRack[r];
      usesRack[r] = 0;
    }
  }
}
