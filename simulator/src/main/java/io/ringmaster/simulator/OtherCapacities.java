package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.ReservedBandwidth;
import io.ringmaster.model.Server;
import io.ringmaster.model.Topology;
import io.ringmaster.model.collect.IntList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Whether what jobs held beside GPUs was ever more than there is: CPUs and memory of each server,
 * and where bandwidth is reserved, every link in either direction. Rings are followed hop by hop
 * through the network.
 */
final class OtherCapacities {
  private final Cluster cluster;
  private final Jobs jobs;
  private final Peaks cpus = new Peaks();
  private final Peaks memory = new Peaks();
  private final Peaks links = new Peaks();
  private final ReservedBandwidth bandwidth;
  private final boolean reserves;

  OtherCapacities(Cluster cluster, Jobs jobs) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.bandwidth = new ReservedBandwidth(cluster);
    this.reserves = IterationTime.of(cluster).reservesLinks();
  }

  /** Whether there is anything to check. */
  boolean any() {
    return reserves || cluster.limitsMoreThanGpus();
  }

  /** A job was at a placement for a time. */
  void add(int job, Placement placement, double from, double to) {
    Demand asked = jobs.demand(job);
    for (int i = 0; i < placement.size(); i++) {
      cpus.add(placement.server(i), from, to, asked.cpus() * placement.gpus(i));
      memory.add(placement.server(i), from, to, asked.memoryBytes() * placement.gpus(i));
    }
    ModelProfile profile = jobs.profile(job);
    if (reserves && profile != null && placement.crossesServers()) {
      double reserved = bandwidth.reserved(profile, placement);
      IntList crossed = cluster.topology().ring(placement);
      crossed.forEach(link -> links.add(link, from, to, reserved));
    }
  }

  void check(Consumer<String> found) {
    checkServers(cpus, Server::cpus, 1, "CPUs", found);
    checkServers(memory, Server::memoryBytes, 1e9, "GB of memory", found);
    List<Topology.Link> all = cluster.topology().links();
    Peaks.Peak[] peaks = links.of(all.size());
    for (int i = 0; i < peaks.length; i++) {
      if (peaks[i].exceeds(all.get(i).bytesPerSecond())) {
        found.accept(
            "link %s: %s of %s bytes a second are reserved at %s s"
                .formatted(
                    all.get(i).name(),
                    peaks[i].amount(),
                    all.get(i).bytesPerSecond(),
                    peaks[i].seconds()));
      }
    }
  }

  private void checkServers(
      Peaks taken,
      ToDoubleFunction<Server> capacity,
      double unit,
      String what,
      Consumer<String> found) {
    Peaks.Peak[] peaks = taken.of(cluster.size());
    for (int s = 0; s < peaks.length; s++) {
      double most = capacity.applyAsDouble(cluster.server(s));
      if (peaks[s].exceeds(most)) {
        found.accept(
            "server %s: %s of %s %s are taken at %s s"
                .formatted(
                    cluster.server(s).name(),
                    peaks[s].amount() / unit,
                    most / unit,
                    what,
                    peaks[s].seconds()));
      }
    }
  }
}
