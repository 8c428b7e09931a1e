package io.ringmaster.model;

import io.ringmaster.model.pipeline.Layer;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.Replicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What training one neural network costs on one GPU.
 *
 * @param gradientBytes m: what every worker exchanges in an iteration
 * @param batch M: samples of one worker's mini-batch
 * @param forwardSecondsPerSample df
 * @param backwardSeconds db: the backward pass of one mini-batch
 * @param reserveBytesPerSecond what its rings reserve on every link that they cross, where a fixed
 *     bandwidth is reserved; 0: what the network says
 * @param exchange what exchanging gradients was measured to cost; null: what follows from the
 *     network and the gradient
 * @param layers what it can be cut into, in order; empty if that is not known
 * @param pipeline its stages, for a job that cuts it into some; null: every worker has all of it
 * @param speeds how fast it computes on kinds of GPU, where 1 is what is told here
 * @param source where the numbers come from
 */
public record ModelProfile(
    String id,
    double gradientBytes,
    int batch,
    double forwardSecondsPerSample,
    double backwardSeconds,
    double reserveBytesPerSecond,
    @Nullable FittedExchange exchange,
    List<Layer> layers,
    @Nullable Pipeline pipeline,
    KindSpeeds speeds,
    String source) {

  public ModelProfile {
    layers = List.copyOf(layers);
  }

  public ModelProfile(
      String id,
      double gradientBytes,
      int batch,
      double forwardSecondsPerSample,
      double backwardSeconds,
      String source) {
    this(
        id,
        gradientBytes,
        batch,
        forwardSecondsPerSample,
        backwardSeconds,
        0,
        null,
        List.of(),
        null,
        KindSpeeds.NONE,
        source);
  }

  /** The same model, reserving so much. */
  public ModelProfile reserving(double bytesPerSecond) {
    return with(bytesPerSecond, exchange, layers, pipeline);
  }

  /** The same model with a measured cost of exchanging gradients. */
  public ModelProfile exchanging(FittedExchange measured) {
    return with(reserveBytesPerSecond, measured, layers, pipeline);
  }

  /** The same model, which can be cut into layers. */
  public ModelProfile layered(List<Layer> cuttable) {
    return with(reserveBytesPerSecond, exchange, cuttable, pipeline);
  }

  /** The same model, cut into balanced stages. It must have at least as many layers. */
  public ModelProfile cut(Replicas replicas) {
    return with(
        reserveBytesPerSecond,
        exchange,
        layers,
        Pipeline.of(layers, replicas, batch, forwardSeconds(), backwardSeconds, gradientBytes));
  }

  /** The same model, which is faster on some kinds of GPU than on others. */
  public ModelProfile speeding(KindSpeeds other) {
    return new ModelProfile(
        id,
        gradientBytes,
        batch,
        forwardSecondsPerSample,
        backwardSeconds,
        reserveBytesPerSecond,
        exchange,
        layers,
        pipeline,
        other,
        source);
  }

  /** The same model where a GPU computes so many times as fast. What it exchanges is the same. */
  public ModelProfile at(double speed) {
    if (speed == 1) {
      return this;
    }
    ModelProfile faster =
        new ModelProfile(
            id,
            gradientBytes,
            batch,
            forwardSecondsPerSample / speed,
            backwardSeconds / speed,
            reserveBytesPerSecond,
            exchange,
            layers,
            null,
            speeds,
            source);
    return pipeline == null ? faster : faster.cut(pipeline.replicas());
  }

  private ModelProfile with(
      double reserve,
      @Nullable FittedExchange measured,
      List<Layer> cuttable,
      @Nullable Pipeline stages) {
    return new ModelProfile(
        id,
        gradientBytes,
        batch,
        forwardSecondsPerSample,
        backwardSeconds,
        reserve,
        measured,
        cuttable,
        stages,
        speeds,
        source);
  }

  /** Time of the forward pass of one mini-batch. */
  public double forwardSeconds() {
    return forwardSecondsPerSample * batch;
  }

  /** Time of one iteration without any communication. */
  public double computeSeconds() {
    return forwardSeconds() + backwardSeconds;
  }
}
