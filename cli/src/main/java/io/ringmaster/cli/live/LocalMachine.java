package io.ringmaster.cli.live;

import io.ringmaster.engine.local.LocalGpus;
import io.ringmaster.engine.local.LocalNode;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.workload.ClusterFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What this machine plays: one node with its GPUs, or the nodes of a cluster file. GPUs are dealt
 * out to nodes in the order of the file, so that no two nodes have the same.
 */
record LocalMachine(Cluster cluster, List<LocalNode> nodes) {
  /** Not the host's name: jobs that run must be found again even if that changes. */
  private static final String NAME = "local";

  private static final double NIC_BYTES_PER_SECOND = 10e9 / 8;
  private static final double INTRA_BYTES_PER_SECOND = 300e9 / 8;
  private static final double RESTART_SECONDS = 10;

  static LocalMachine of(ServeConfig config) {
    if (config.cluster() != null) {
      return of(ClusterFile.read(config.cluster()));
    }
    if (config.slots() > 0) {
      return of(IntStream.range(0, config.slots()).boxed().toList());
    }
    List<Integer> gpus = LocalGpus.found(LocalGpus.NVIDIA_SMI);
    int processors = Runtime.getRuntime().availableProcessors();
    return of(gpus.isEmpty() ? IntStream.range(0, processors).boxed().toList() : gpus);
  }

  private static LocalMachine of(List<Integer> gpus) {
    Server server =
        new Server(NAME, gpus.size(), "gpu", "r1", NIC_BYTES_PER_SECOND, INTRA_BYTES_PER_SECOND);
    return new LocalMachine(
        new Cluster(NAME, List.of(server), Network.DEFAULT, RESTART_SECONDS),
        List.of(new LocalNode(NAME, gpus)));
  }

  private static LocalMachine of(Cluster cluster) {
    List<LocalNode> nodes = new ArrayList<>();
    int next = 0;
    for (Server server : cluster.servers()) {
      nodes.add(
          new LocalNode(
              server.name(), IntStream.range(next, next + server.gpus()).boxed().toList()));
      next += server.gpus();
    }
    return new LocalMachine(cluster, nodes);
  }
}
