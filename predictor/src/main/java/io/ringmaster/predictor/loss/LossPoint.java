package io.ringmaster.predictor.loss;

/**
 * A loss that a job reported.
 *
 * @param epoch how far the job was, 0 or more; need not be whole
 * @param loss 0 or more
 */
public record LossPoint(double epoch, double loss) {
  public LossPoint {
    if (!(epoch >= 0) || epoch == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("epoch " + epoch);
    }
    if (!(loss >= 0) || loss == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("loss " + loss);
    }
  }
}
