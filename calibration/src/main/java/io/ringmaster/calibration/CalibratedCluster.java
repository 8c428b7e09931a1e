package io.ringmaster.calibration;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.predictor.contention.SharedLink;
import io.ringmaster.predictor.regression.Estimate;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with what was measured: its network, and the links of its servers. All else is kept.
 * The model is the truer one of the two that were compared, or the paper's if none was.
 */
public final class CalibratedCluster {
  private static final double INTRA_BYTES_PER_SECOND = 300e9 / 8;
  private static final double RESTART_SECONDS = 10;

  private CalibratedCluster() {}

  /**
   * Makes the cluster.
   *
   * @param given what is kept; null: as many servers as a ring has workers, as many GPUs as rings
   * @param here whether all processes were on one machine, so that there is no faster way inside
   */
  public static Cluster of(
      Calibration found, Calibration.Plan plan, @Nullable Cluster given, boolean here) {
    double nic = rounded(found.nicBytesPerSecond().value());
    RingTerms before = (given == null ? Network.Contention.USUAL : given.network()).terms();
    Estimate alpha = found.fit().line().alpha();
    Estimate startup = found.fit().line().a();
    SharedLink link = found.link();
    RingTerms terms =
        new RingTerms(
            1,
            alpha == null ? before.alpha() : rounded(Math.max(0, alpha.value())),
            startup == null
                ? before.overheadSeconds()
                : rounded(Math.max(0, startup.value()) / plan.workers()),
            before.reduceBytesPerSecond(),
            before.cap(),
            before.slotSeconds());
    Network network =
        link != null && link.gain().value() > 0
            ? new Network.Transmit(terms)
            : new Network.Contention(terms);
    return given == null
        ? fresh(plan, nic, here ? nic : INTRA_BYTES_PER_SECOND, network)
        : new Cluster(
                given.name(),
                given.servers().stream().map(server -> linked(server, nic)).toList(),
                given.racks(),
                network,
                given.restartSeconds())
            .costing(given.startSeconds(), given.restartSeconds());
  }

  private static Cluster fresh(Calibration.Plan plan, double nic, double intra, Network network) {
    List<Server> servers =
        IntStream.range(0, plan.workers())
            .mapToObj(i -> Cluster.serverName(i))
            .map(name -> new Server(name, plan.rings(), "gpu", "r1", nic, intra))
            .toList();
    return new Cluster("calibrated", servers, network, RESTART_SECONDS);
  }

  private static Server linked(Server server, double nic) {
    return new Server(
        server.name(),
        server.gpus(),
        server.gpu(),
        server.rack(),
        nic,
        server.intraBytesPerSecond(),
        server.cpus(),
        server.memoryBytes(),
        server.gpuWatts());
  }

  /** More digits than were measured would only be hard to read. */
  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.4g", value));
  }
}
