package io.ringmaster.model;

import io.ringmaster.model.pipeline.HeavyEdge;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.Stage;
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
 * <p>with x(s, m) the replicas of stage s on server m. In the steady state an iteration takes as
 * long as the slowest stage on its slowest server; with micro-batches the stages' times add up as
 * in GPipe and 1F1B ({@link Pipelining}). Departures: links and shares may differ from server to
 * server.
 *
 * <p>A placement that does not say which replicas are where has them by {@link HeavyEdge}.
 */
public final class EvenShares implements IterationTime {
  private final Pipelining pipelining;
  private final double[] share;
  private final double[] intra;
  private final double fastest;
  private final double slowest;

  public EvenShares(Cluster cluster) {
    this.pipelining = cluster.network().pipelining();
    this.share =
        cluster.servers().stream().mapToDouble(s -> s.nicBytesPerSecond() / s.gpus()).toArray();
    this.intra = cluster.servers().stream().mapToDouble(Server::intraBytesPerSecond).toArray();
    double most = 0;
    double least = cluster.slowestNicShare();
    for (Server server : cluster.servers()) {
      most = Math.max(most, Math.max(server.nicBytesPerSecond(), server.intraBytesPerSecond()));
      least = Math.min(least, server.intraBytesPerSecond());
    }
    this.fastest = most;
    this.slowest = least;
  }

  @Override
  public double seconds(@Nullable ModelProfile profile, Placement placement, int contenders) {
    if (profile == null) {
      return 1;
    }
    Pipeline pipeline = pipeline(profile, placement.workers());
    return seconds(pipeline, placement.isMapped() ? placement : placed(pipeline, placement));
  }

  /** The same GPUs with the replicas of a pipeline where {@link HeavyEdge} puts them. */
  public static Placement placed(Pipeline pipeline, Placement placement) {
    return placement.mapped(HeavyEdge.map(pipeline, placement.gpuCounts()));
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

  private double seconds(Pipeline pipeline, Placement placement) {
    if (placement.stages() != pipeline.size()) {
      throw new IllegalArgumentException(
          "%d stages are placed of %d".formatted(placement.stages(), pipeline.size()));
    }
    Total total = new Total(pipelining);
    for (int s = 0; s < pipeline.size(); s++) {
      double exchange = 0;
      double ring = Double.POSITIVE_INFINITY;
      for (int i = 0; i < placement.size(); i++) {
        int replicas = placement.replicas(i, s);
        if (replicas > 0) {
          exchange = Math.max(exchange, exchange(pipeline, s, placement, i));
          boolean whole = replicas == pipeline.stage(s).replicas();
          int server = placement.server(i);
          ring = Math.min(ring, whole ? intra[server] : replicas * share[server]);
        }
      }
      total.add(pipeline.stage(s), exchange, ring);
    }
    return total.seconds();
  }

  /** Activations and their gradients of a replica on the i-th server, in seconds. */
  private double exchange(Pipeline pipeline, int s, Placement placement, int i) {
    double seconds = 0;
    if (s + 1 < pipeline.size()) {
      seconds += seconds(bytesAfter(pipeline, s), s + 1, pipeline, placement, i);
    }
    if (s > 0) {
      seconds += seconds(bytesBefore(pipeline, s), s - 1, pipeline, placement, i);
    }
    return seconds;
  }

  private static double bytesAfter(Pipeline pipeline, int s) {
    return s + 1 < pipeline.size() ? 2 * pipeline.stage(s).sentBytes() : 0;
  }

  private static double bytesBefore(Pipeline pipeline, int s) {
    if (s == 0) {
      return 0;
    }
    Stage before = pipeline.stage(s - 1);
    return 2 * before.sentBytes() * before.replicas() / pipeline.stage(s).replicas();
  }

  private double seconds(double bytes, int other, Pipeline pipeline, Placement placement, int i) {
    int server = placement.server(i);
    double here = (double) placement.replicas(i, other) / pipeline.stage(other).replicas();
    return bytes * ((1 - here) / share[server] + here / intra[server]);
  }

  /** All links have the same bandwidth. */
  private double uniform(ModelProfile profile, int workers, double bandwidth) {
    Pipeline pipeline = pipeline(profile, workers);
    Total total = new Total(pipelining);
    for (int s = 0; s < pipeline.size(); s++) {
      double bytes = bytesAfter(pipeline, s) + bytesBefore(pipeline, s);
      total.add(pipeline.stage(s), bytes / bandwidth, bandwidth);
    }
    return total.seconds();
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

  /** Puts the times of the stages together. */
  private static final class Total {
    private final Pipelining pipelining;
    private double slowestWithSum;
    private double sumOfStages;
    private double slowestStage;
    private double longestSum;

    Total(Pipelining pipelining) {
      this.pipelining = pipelining;
    }

    void add(Stage stage, double exchangeSeconds, double ringBandwidth) {
      double sum = stage.ringBytes() / ringBandwidth;
      double late = pipelining.overlap() ? Math.max(0, sum - stage.backwardSeconds()) : sum;
      double passes = stage.forwardSeconds() + stage.backwardSeconds() + exchangeSeconds;
      slowestWithSum = Math.max(slowestWithSum, passes + late);
      sumOfStages += passes;
      slowestStage = Math.max(slowestStage, passes);
      longestSum = Math.max(longestSum, late);
    }

    double seconds() {
      int parts = pipelining.microBatches();
      return parts == 0
          ? slowestWithSum
          : (sumOfStages + (parts - 1) * slowestStage) / parts + longestSum;
    }
  }
}
