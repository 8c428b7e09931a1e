package io.ringmaster.predictor.speed;

import java.util.List;

/**
 * For comparison: samples a second are the same with any number of workers, batch and place, so an
 * iteration of w workers with b samples each takes w b / speed. Fitted by the mean of the
 * logarithm.
 */
public record ConstantSpeed(double samplesPerSecond) implements SpeedModel {
  public static ConstantSpeed of(List<StepTime> times) {
    double sum = 0;
    for (StepTime time : times) {
      sum += StrictMath.log(time.workers() * time.batch() / time.seconds());
    }
    return new ConstantSpeed(StrictMath.exp(sum / times.size()));
  }

  @Override
  public double seconds(int workers, int servers, int mostOnOne, double batch) {
    return workers * batch / samplesPerSecond;
  }
}
