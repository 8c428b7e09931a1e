package io.ringmaster.predictor.speed;

import java.util.Arrays;
import java.util.List;

/**
 * For comparison: an iteration takes the same with any number of workers in any place, a constant
 * and a time for each sample of a worker's batch, neither below 0. Fitted to all times by the mean
 * square of the logarithm.
 */
public record LinearScaling(double constantSeconds, double secondsPerSample) implements SpeedModel {
  public static LinearScaling of(List<StepTime> times) {
    double[][] rows = times.stream().map(t -> new double[] {1, t.batch()}).toArray(double[][]::new);
    double[] seconds = times.stream().mapToDouble(StepTime::seconds).toArray();
    double[] weights = new double[rows.length];
    Arrays.fill(weights, 1);
    double[] fitted = LogFit.of(rows, 2, seconds, weights, false).coefficients();
    return new LinearScaling(fitted[0], fitted[1]);
  }

  @Override
  public double seconds(int workers, int servers, int mostOnOne, double batch) {
    return constantSeconds + secondsPerSample * batch;
  }
}
