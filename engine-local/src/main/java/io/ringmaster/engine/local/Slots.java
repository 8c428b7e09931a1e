package io.ringmaster.engine.local;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which GPUs and ports are taken. */
final class Slots {
  private final Map<String, LocalNode> nodes = new LinkedHashMap<>();
  private final Map<String, Set<Integer>> taken = new HashMap<>();
  private final Set<Integer> ports = new HashSet<>();
  private final int firstPort;
  private final int lastPort;
  private int nextPort;

  Slots(List<LocalNode> nodes, int firstPort, int lastPort) {
    for (LocalNode node : nodes) {
      if (this.nodes.put(node.name(), node) != null) {
        throw new BadInput("node '%s' is declared twice".formatted(node.name()));
      }
      taken.put(node.name(), new HashSet<>());
    }
    this.firstPort = firstPort;
    this.lastPort = lastPort;
    this.nextPort = firstPort;
  }

  /** Free GPUs of an allocation's nodes, and a free port. Not taken yet. */
  Plan choose(Allocation allocation, Part part) throws IOException {
    List<Plan.Share> shares = new ArrayList<>();
    for (Allocation.Share share : allocation.shares()) {
      LocalNode node = nodes.get(share.node());
      if (node == null) {
        throw new IOException("there is no node '%s' here".formatted(share.node()));
      }
      Set<Integer> used = taken.getOrDefault(node.name(), Set.of());
      List<Integer> free =
          node.slots().stream().filter(slot -> !used.contains(slot)).limit(share.gpus()).toList();
      if (free.size() < share.gpus()) {
        throw new IOException(
            "node '%s' has %d GPUs free, not %d".formatted(node.name(), free.size(), share.gpus()));
      }
      shares.add(new Plan.Share(node.name(), free));
    }
    int port = part.port() == 0 ? freePort(InetAddress.getByName(part.address())) : part.port();
    return new Plan(shares, port, part.firstRank());
  }

  private int freePort(InetAddress address) throws IOException {
    for (int tries = 0; tries <= lastPort - firstPort; tries++) {
      int port = nextPort;
      // Round and round: a port that was just given back may still be in use for a while.
      nextPort = port == lastPort ? firstPort : port + 1;
      if (!ports.contains(port) && isFree(address, port)) {
        return port;
      }
    }
    throw new IOException("no port from %d to %d is free".formatted(firstPort, lastPort));
  }

  private static boolean isFree(InetAddress address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  void take(Plan plan) {
    for (Plan.Share share : plan.shares()) {
      taken.computeIfAbsent(share.node(), node -> new HashSet<>()).addAll(share.slots());
    }
    ports.add(plan.port());
  }

  void release(Plan plan) {
    for (Plan.Share share : plan.shares()) {
      taken.getOrDefault(share.node(), new HashSet<>()).removeAll(Set.copyOf(share.slots()));
    }
    ports.remove(plan.port());
  }
}
