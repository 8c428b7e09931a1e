package io.ringmaster.policy.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Server;

/** How much of a cluster a worker takes: the greatest of its shares of anything counted. */
final class Shares {
  private final int gpus;
  private final double cpus;
  private final double memoryBytes;

  Shares(Cluster cluster) {
    this.gpus = cluster.totalGpus();
    this.cpus = cluster.servers().stream().mapToDouble(Server::cpus).sum();
    this.memoryBytes = cluster.servers().stream().mapToDouble(Server::memoryBytes).sum();
  }

  double ofWorker(Demand demand) {
    return Math.max(1.0 / gpus, Math.max(demand.cpus() / cpus, demand.memoryBytes() / memoryBytes));
  }
}
