package io.ringmaster.predictor.speed;

import java.util.Arrays;
import java.util.List;

/** How far a model is off, |fitted - measured| / measured, over some measurements. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record RelativeErrors(double[] sorted) {
  public static RelativeErrors of(SpeedModel model, List<StepTime> times) {
    return new RelativeErrors(
        times.stream()
            .mapToDouble(t -> Math.abs(model.seconds(t) - t.seconds()) / t.seconds())
            .sorted()
            .toArray());
  }

  public static RelativeErrors together(List<RelativeErrors> parts) {
    return new RelativeErrors(
        parts.stream().flatMapToDouble(part -> Arrays.stream(part.sorted)).sorted().toArray());
  }

  public double mean() {
    double sum = 0;
    for (double error : sorted) {
      sum += error;
    }
    return sum / sorted.length;
  }

  public double median() {
    return quantile(0.5);
  }

  public double p90() {
    return quantile(0.9);
  }

  /** Between two errors in proportion; NaN if there are none. */
  private double quantile(double part) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double at = part * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
