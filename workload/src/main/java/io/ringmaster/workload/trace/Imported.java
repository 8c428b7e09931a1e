package io.ringmaster.workload.trace;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A trace as the native files hold it, and how it came about. Each row read is a job, a part of
 * one, or dropped.
 *
 * @param parts rows that are no job of their own, by what they are
 * @param drops rows left out, by reason
 * @param modelsDrawn jobs whose model is drawn
 * @param renamed jobs whose id another job had before
 * @param serverGpus by the server's name
 */
public record Imported(
    Jobs jobs,
    long rows,
    List<Count> parts,
    List<Count> drops,
    int modelsDrawn,
    int renamed,
    SortedMap<String, Integer> serverGpus,
    List<String> notes) {

  /**
   * Rows that have something in common.
   *
   * @param first where the first of them is; empty if the reader does not say
   */
  public record Count(String what, long rows, String first) {}

  private static final double RESTART_SECONDS = 10;

  /** The servers that the trace tells of, all alike but for their GPUs. */
  public Optional<Cluster> cluster(String name) {
    return cluster(name, serverGpus);
  }

  static Optional<Cluster> cluster(String name, SortedMap<String, Integer> serverGpus) {
    if (serverGpus.isEmpty()) {
      return Optional.empty();
    }
    Server usual = Cluster.uniform(1, 1, Network.Contention.USUAL, 0).server(0);
    List<Server> servers = new ArrayList<>();
    serverGpus.forEach((server, gpus) ->
        servers.add(
            new Server(
                server,
                gpus,
                usual.gpu(),
                usual.rack(),
                usual.nicBytesPerSecond(),
                usual.intraBytesPerSecond())));
    return Optional.of(new Cluster(name, servers, Network.Contention.USUAL, RESTART_SECONDS));
  }
}
