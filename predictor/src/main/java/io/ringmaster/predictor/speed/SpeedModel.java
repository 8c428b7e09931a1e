package io.ringmaster.predictor.speed;

/** Says how long an iteration takes. */
@FunctionalInterface
public interface SpeedModel {
  /**
   * Seconds of an iteration.
   *
   * @param mostOnOne the most workers that sit on one server
   * @param batch samples of one worker's mini-batch
   */
  double seconds(int workers, int servers, int mostOnOne, double batch);

  /** Seconds where and with the batch that something was measured. */
  default double seconds(StepTime like) {
    return seconds(like.workers(), like.servers(), like.mostOnOne(), like.batch());
  }
}
