package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.Server;
import io.ringmaster.model.collect.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a policy may give away of a cluster: servers that are open, without what is taken. */
final class OpenServers {
  private final Cluster whole;
  private final int[] gpus;
  private final double[] cpus;
  private final double[] memoryBytes;
  private final double[] linkBytesPerSecond;
  private final double[] uplinkBytesPerSecond;

  OpenServers(Cluster whole) {
    this.whole = whole;
    this.gpus = new int[whole.size()];
    this.cpus = new double[whole.size()];
    this.memoryBytes = new double[whole.size()];
    this.linkBytesPerSecond = new double[whole.size()];
    this.uplinkBytesPerSecond = new double[whole.topology().switches()];
  }

  /** A job holds this, and is none of the policy's business. */
  void take(Placement place, Demand demand) {
    for (int i = 0; i < place.size(); i++) {
      int server = place.server(i);
      gpus[server] += place.gpus(i);
      cpus[server] += place.gpus(i) * demand.cpus();
      memoryBytes[server] += place.gpus(i) * demand.memoryBytes();
      linkBytesPerSecond[server] += place.crossesServers() ? demand.ringBytesPerSecond() : 0;
    }
    IntList crossed = new IntList();
    whole.topology().uplinks(place, crossed);
    for (int i = 0; i < crossed.size(); i++) {
      uplinkBytesPerSecond[crossed.get(i)] += demand.ringBytesPerSecond();
    }
  }

  /** The servers that are open and have GPUs left. */
  int[] indexes(Outages outages) {
    return IntStream.range(0, whole.size())
        .filter(s -> outages.isOpen(s) && whole.gpus(s) > gpus[s])
        .toArray();
  }

  /** What is left of these servers; null if there are none. */
  @Nullable Cluster cluster(int[] indexes) {
    if (indexes.length == 0) {
      return null;
    }
    List<Server> servers = Arrays.stream(indexes).mapToObj(this::left).toList();
    Set<String> used = servers.stream().map(Server::rack).collect(Collectors.toSet());
    List<Rack> racks = new ArrayList<>();
    for (int r = 0; r < whole.racks().size(); r++) {
      Rack rack = whole.racks().get(r);
      if (used.contains(rack.name())) {
        double uplink = rack.uplinkBytesPerSecond() - uplinkBytesPerSecond[r];
        racks.add(
            new Rack(rack.name(), uplink, rack.pod() == null ? null : left(rack, rack.pod())));
      }
    }
    return whole.having(servers, racks);
  }

  private Pod left(Rack rack, Pod pod) {
    int server =
        IntStream.range(0, whole.size())
            .filter(s -> whole.server(s).rack().equals(rack.name()))
            .findFirst()
            .orElseThrow();
    double taken = uplinkBytesPerSecond[whole.topology().pod(server)];
    return new Pod(pod.name(), pod.uplinkBytesPerSecond() - taken);
  }

  private Server left(int index) {
    Server server = whole.server(index);
    if (gpus[index] == 0) {
      return server;
    }
    Server limited =
        server.limited(
            server.gpus() - gpus[index],
            server.cpus() - cpus[index],
            server.memoryBytes() - memoryBytes[index]);
    double taken = linkBytesPerSecond[index];
    return taken == 0 ? limited : limited.linked(server.nicBytesPerSecond() - taken);
  }
}
