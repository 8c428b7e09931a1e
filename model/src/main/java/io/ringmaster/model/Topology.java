package io.ringmaster.model;

import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.Sorted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The network as a graph. Servers hang on the switch of their rack, racks on a core that never is
 * in the way; each connection is a link in either direction. Without racks all servers hang on one
 * big switch.
 *
 * <p>A ring visits the servers of a placement rack by rack. So it leaves and enters each of its
 * servers once, and each of its racks once if it has several: on every link that it crosses, it is
 * there once.
 */
public final class Topology {

  /** A link in one direction. */
  public record Link(String name, double bytesPerSecond) {}

  private final int servers;
  private final int[] rackOf;
  private final List<Link> links = new ArrayList<>();

  Topology(List<Server> servers, List<Rack> racks) {
    this.servers = servers.size();
    this.rackOf = new int[servers.size()];
    Map<String, Integer> byName = new HashMap<>();
    racks.forEach(rack -> byName.put(rack.name(), byName.size()));
    for (int s = 0; s < rackOf.length; s++) {
      Server server = servers.get(s);
      rackOf[s] = racks.isEmpty() ? 0 : byName.getOrDefault(server.rack(), -1);
      if (rackOf[s] < 0) {
        throw new IllegalArgumentException("no rack is called " + server.rack());
      }
      String rack = racks.isEmpty() ? "switch" : server.rack();
      links.add(new Link(server.name() + " to " + rack, server.nicBytesPerSecond()));
      links.add(new Link(rack + " to " + server.name(), server.nicBytesPerSecond()));
    }
    for (Rack rack : racks) {
      links.add(new Link(rack.name() + " to core", rack.uplinkBytesPerSecond()));
      links.add(new Link("core to " + rack.name(), rack.uplinkBytesPerSecond()));
    }
  }

  /** All links, known by their index. */
  public List<Link> links() {
    return links;
  }

  /** The rack of a server, by its place in the cluster's list; 0 where there are no racks. */
  public int rack(int server) {
    return rackOf[server];
  }

  /** Links on the way from one server to another. */
  public IntList path(int from, int to) {
    IntList path = new IntList();
    path.add(2 * from);
    if (rackOf[from] != rackOf[to]) {
      path.add(2 * (servers + rackOf[from]));
      path.add(2 * (servers + rackOf[to]) + 1);
    }
    path.add(2 * to + 1);
    return path;
  }

  /** Links that the ring of a placement crosses, hop by hop. None on one server. */
  public IntList ring(Placement placement) {
    IntList crossed = new IntList();
    if (!placement.crossesServers()) {
      return crossed;
    }
    int[] order =
        Sorted.by(
            Comparator.comparingInt(s -> rackOf[s]),
            IntStream.range(0, placement.size()).map(placement::server));
    for (int i = 0; i < order.length; i++) {
      crossed.addAll(path(order[i], order[(i + 1) % order.length]));
    }
    return crossed;
  }

  /** True if the servers of a placement are not all in one rack. */
  public boolean crossesRacks(Placement placement) {
    int rack = rackOf[placement.server(0)];
    for (int i = 1; i < placement.size(); i++) {
      if (rackOf[placement.server(i)] != rack) {
        return true;
      }
    }
    return false;
  }
}
