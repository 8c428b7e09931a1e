package io.ringmaster.calibration;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.predictor.contention.ContentionFit;
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
  private static final double RESTART_SECONDS = 10;

  private CalibratedCluster() {}

  /**
   * Makes the cluster.
   *
   * @param given what is kept; null: as many servers as a ring has workers, as many GPUs as rings
   */
  public static Cluster of(Calibration found, Calibration.Plan plan, @Nullable Cluster given) {
    double nic = rounded(found.nicBytesPerSecond().value());
    RingTerms before = (given == null ? Network.Contention.USUAL : given.network()).terms();
    RingTerms terms = terms(found.fit(), plan, before);
    SharedLink link = found.link();
    Network network =
        link != null && link.gain().value() > 0
            ? new Network.Transmit(terms)
            : new Network.Contention(terms);
    return given == null
        ? fresh(plan, nic, found.inside(), network)
        : new Cluster(
                given.name(),
                given.servers().stream()
                    .map(server -> linked(server, nic, found.inside()))
                    .toList(),
                given.racks(),
                network,
                given.restartSeconds())
            .costing(given.startSeconds(), given.restartSeconds());
  }

  /** A cluster of as many servers as were measured, to ask what the models say of it. */
  static Cluster plain(
      ContentionFit fit, Calibration.@Nullable Inside inside, Calibration.Plan plan) {
    double nic = Calibration.nicBytesPerSecond(fit, plan.workers()).value();
    RingTerms terms = terms(fit, plan, Network.Contention.USUAL.terms());
    return fresh(plan, nic, inside, new Network.Contention(terms));
  }

  private static double intra(Calibration.@Nullable Inside inside, double otherwise) {
    Estimate measured = inside == null ? null : inside.bytesPerSecond();
    return measured == null ? otherwise : rounded(measured.value());
  }

  private static RingTerms terms(ContentionFit fit, Calibration.Plan plan, RingTerms before) {
    Estimate alpha = fit.line().alpha();
    Estimate startup = fit.line().a();
    return new RingTerms(
        1,
        alpha == null ? before.alpha() : rounded(Math.max(0, alpha.value())),
        startup == null
            ? before.overheadSeconds()
            : rounded(Math.max(0, startup.value()) / plan.workers()),
        before.reduceBytesPerSecond(),
        before.cap(),
        before.slotSeconds());
  }

  private static Cluster fresh(
      Calibration.Plan plan, double nic, Calibration.@Nullable Inside inside, Network network) {
    double unmeasured = plan.intraBytesPerSecond();
    double intra = intra(inside, Double.isNaN(unmeasured) ? nic : unmeasured);
    List<Server> servers =
        IntStream.range(0, plan.workers())
            .mapToObj(i -> Cluster.serverName(i))
            .map(name -> new Server(name, plan.rings(), "gpu", "r1", nic, intra))
            .toList();
    return new Cluster("calibrated", servers, network, RESTART_SECONDS);
  }

  private static Server linked(Server server, double nic, Calibration.@Nullable Inside inside) {
    return new Server(
        server.name(),
        server.gpus(),
        server.gpu(),
        server.rack(),
        nic,
        intra(inside, server.intraBytesPerSecond()),
        server.cpus(),
        server.memoryBytes(),
        server.gpuWatts());
  }

  /** More digits than were measured would only be hard to read. */
  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.4g", value));
  }
}
