package io.ringmaster.predictor.length;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What methods expected of jobs, and how long those took. */
public final class Predictions {
  private final double[] actual;
  private final Map<Method, double[]> predicted;
  private final double[] low;
  private final double[] high;

  Predictions(double[] actual, Map<Method, double[]> simple) {
    this.actual = actual;
    this.predicted = new EnumMap<>(simple);
    predicted.put(Method.FOREST, new double[actual.length]);
    low = new double[actual.length];
    high = new double[actual.length];
  }

  void interval(int job, double lowLog, double highLog) {
    low[job] = StrictMath.expm1(Math.max(0, lowLog));
    high[job] = JobFeatures.length(highLog);
  }

  /** How long the jobs took. Not to be changed. */
  public double[] actual() {
    return actual;
  }

  /** What a method expected of each. Not to be changed. */
  public double[] predicted(Method method) {
    return Objects.requireNonNull(predicted.get(method));
  }

  /** Which share of the lengths the forest's intervals hold. */
  public double covered() {
    int inside = 0;
    for (int i = 0; i < actual.length; i++) {
      inside += low[i] <= actual[i] && actual[i] <= high[i] ? 1 : 0;
    }
    return (double) inside / actual.length;
  }

  public Map<Method, Accuracy> accuracy() {
    Map<Method, Accuracy> out = new EnumMap<>(Method.class);
    predicted.forEach((method, values) -> out.put(method, Accuracy.of(values, actual)));
    return Collections.unmodifiableMap(out);
  }
}
