package io.ringmaster.model;

import io.ringmaster.model.pipeline.HeavyEdge;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.WholeStages;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Every GPU has an even share of its server's link, whatever its neighbours do, and a job may be a
 * pipeline of stages with several replicas each: the model of A-SRPT (Luo, Liu, Lee, Shroff,
 * INFOCOM 2025, arXiv 2501.05563). A job without stages is a pipeline of one.
 *
 * <p>A stage takes its forward and backward pass, the exchange of activations with the stages
 * before and after it, and the sum of its gradients around the ring of its replicas:
 *
 * <pre>
 *   comm(s, m) = sum over the stages s' next to s of D(s, s') ((1 - x(s', m) / k(s')) / share + x(s', m) / k(s') / intra)
 *   D(s, s + 1) = 2 d(s),  D(s, s - 1) = 2 d(s - 1) k(s - 1) / k(s)
 *   sum(s)     = 2 h(s) (k(s) - 1) / k(s) / bandwidth, which is intra on one server,
 *                else the least x(s, m) share of its servers
 * </pre>
 *
 * <p>Where servers are in racks and pods, a GPU has an even share of each uplink above it too. What
 * leaves a rack or pod goes at the least of these shares, and the ring of a stage at the least of
 * its replicas' shares of any link that it crosses.
 *
 * <p>In the formulas x(s, m) are the replicas of stage s on server m. In the steady state an
 * iteration takes as long as the slowest stage on its slowest server; with micro-batches the
 * stages' times add up as in GPipe and 1F1B ({@link Pipelining}). Departures: links and shares may
 * differ from server to server.
 *
 * <p>A placement that does not say which replicas are where has them by {@link HeavyEdge}.
 */
public final class EvenShares implements IterationTime {
  private final Pipelining pipelining;
  private final double[] share;
  private final double[] intra;
  private final Topology topology;

  /** Of the uplinks of racks and pods, for each GPU below them. */
  private final double[] uplinkShare;

  private final double fastest;
  private final double slowest;

  public EvenShares(Cluster cluster) {
    this.pipelining =
        cluster.network() instanceof Network.Share share ? share.pipelining() : Pipelining.STEADY;
    this.share =
        cluster.servers().stream().mapToDouble(s -> s.nicBytesPerSecond() / s.gpus()).toArray();
    this.intra = cluster.servers().stream().mapToDouble(Server::intraBytesPerSecond).toArray();
    this.topology = cluster.topology();
    int[] gpusInside = topology.gpusInside(cluster.servers());
    this.uplinkShare =
        IntStream.range(0, gpusInside.length)
            .mapToDouble(which -> topology.uplink(which) / gpusInside[which])
            .toArray();
    double most = 0;
    double least = cluster.slowestNicShare();
    for (Server server : cluster.servers()) {
      most = Math.max(most, Math.max(server.nicBytesPerSecond(), server.intraBytesPerSecond()));
      least = Math.min(least, server.intraBytesPerSecond());
    }
    this.fastest = most;
    this.slowest =
        uplinkShare.length > 1
            ? Math.min(least, Arrays.stream(uplinkShare).min().getAsDouble())
            : least;
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, double contenders) {
    if (profile == null) {
      return 1;
    }
    Pipeline pipeline = pipeline(profile, placement.workers());
    return on(placement.isMapped() ? placement : placed(pipeline, placement), pipeline).seconds();
  }

  @Override
  public Placement mapped(@Nullable ModelProfile profile, Placement placement) {
    return profile == null || profile.pipeline() == null || placement.isMapped()
        ? placement
        : placed(profile, placement);
  }

  /** The same GPUs with the replicas of a job's stages where {@link HeavyEdge} puts them. */
  public static Placement placed(ModelProfile profile, Placement placement) {
    return placed(pipeline(profile, placement.workers()), placement);
  }

  /** The same for a pipeline. */
  public static Placement placed(Pipeline pipeline, Placement placement) {
    return placement.mapped(HeavyEdge.map(pipeline, placement.gpuCounts()));
  }

  /**
   * The same GPUs with the replicas of a job's stages where {@linkplain Swaps swaps} end that begin
   * with {@link HeavyEdge} or with {@link WholeStages}, whichever is faster: never slower than
   * {@link #placed}.
   */
  public Placement refined(ModelProfile profile, Placement placement) {
    Pipeline pipeline = pipeline(profile, placement.workers());
    Placement heavy = swapped(profile, placed(pipeline, placement));
    int[] packed = WholeStages.map(pipeline, placement.gpuCounts());
    Placement whole = swapped(profile, placement.mapped(packed));
    return seconds(profile, whole, 1) < seconds(profile, heavy, 1) ? whole : heavy;
  }

  /** A mapping improved by {@linkplain Swaps swaps}. */
  public Placement swapped(ModelProfile profile, Placement mapped) {
    PlacedPipeline on = on(mapped, pipeline(profile, mapped.workers()));
    Swaps.refine(on, mapped.workers());
    return mapped.mapped(on.mapping());
  }

  /** What a job with so many workers is: its stages, or one. */
  public static Pipeline pipeline(ModelProfile profile, int workers) {
    Pipeline own = profile.pipeline();
    if (own == null) {
      return Pipeline.dataParallel(
          workers, profile.forwardSeconds(), profile.backwardSeconds(), profile.gradientBytes());
    }
    if (own.gpus() != workers) {
      throw new IllegalArgumentException(
          "%d workers for the stages %s".formatted(workers, own.replicas()));
    }
    return own;
  }

  private PlacedPipeline on(Placement placement, Pipeline pipeline) {
    if (placement.stages() != pipeline.size()) {
      throw new IllegalArgumentException(
          "%d stages are placed of %d".formatted(placement.stages(), pipeline.size()));
    }
    double[] intras = new double[placement.size()];
    for (int i = 0; i < placement.size(); i++) {
      intras[i] = intra[placement.server(i)];
    }
    PlacedPipeline.Tier[] tiers = new PlacedPipeline.Tier[1 + topology.tiers(placement)];
    for (int t = 0; t < tiers.length; t++) {
      tiers[t] = tier(placement, t, t == 0 ? null : tiers[t - 1]);
    }
    return new PlacedPipeline(pipeline, placement, tiers, intras, pipelining);
  }

  private PlacedPipeline.Tier tier(
      Placement placement, int t, PlacedPipeline.@Nullable Tier below) {
    int[] group = new int[placement.size()];
    double[] shares = new double[group.length];
    double[] narrowest = new double[group.length];
    for (int i = 0; i < group.length; i++) {
      int server = placement.server(i);
      group[i] = t == 0 ? server : t == 1 ? topology.rack(server) : topology.pod(server);
      shares[i] = t == 0 ? share[server] : uplinkShare[group[i]];
      narrowest[i] = below == null ? shares[i] : Math.min(shares[i], below.narrowest()[i]);
    }
    return new PlacedPipeline.Tier(group, shares, narrowest);
  }

  /** All links have the same bandwidth. */
  private double uniform(ModelProfile profile, int workers, double bandwidth) {
    Pipeline pipeline = pipeline(profile, workers);
    StageTimes times = new StageTimes(pipeline, pipelining);
    for (int s = 0; s < pipeline.size(); s++) {
      double bytes =
          PlacedPipeline.bytesAfter(pipeline, s) + PlacedPipeline.bytesBefore(pipeline, s);
      times.set(s, bytes / bandwidth, bandwidth);
    }
    return times.seconds();
  }

  /** All replicas on one server that need not exist. */
  @Override
  public double fastestSeconds(@Nullable ModelProfile profile, int workers) {
    return profile == null ? 1 : uniform(profile, workers, fastest);
  }

  @Override
  public double scatteredSeconds(@Nullable ModelProfile profile, int workers) {
    return profile == null ? 1 : uniform(profile, workers, workers == 1 ? fastest : slowest);
  }

  @Override
  public boolean neighboursMatter() {
    return false;
  }

  @Override
  public boolean knowsStages() {
    return true;
  }
}
