package io.ringmaster.model;

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
    String source) {

  public ModelProfile(
      String id,
      double gradientBytes,
      int batch,
      double forwardSecondsPerSample,
      double backwardSeconds,
      String source) {
    this(id, gradientBytes, batch, forwardSecondsPerSample, backwardSeconds, 0, null, source);
  }

  /** The same model, reserving so much. */
  public ModelProfile reserving(double bytesPerSecond) {
    return new ModelProfile(
        id,
        gradientBytes,
        batch,
        forwardSecondsPerSample,
        backwardSeconds,
        bytesPerSecond,
        exchange,
        source);
  }

  /** The same model with a measured cost of exchanging gradients. */
  public ModelProfile exchanging(FittedExchange measured) {
    return new ModelProfile(
        id,
        gradientBytes,
        batch,
        forwardSecondsPerSample,
        backwardSeconds,
        reserveBytesPerSecond,
        measured,
        source);
  }

  /** Time of one iteration without any communication. */
  public double computeSeconds() {
    return forwardSecondsPerSample * batch + backwardSeconds;
  }
}
