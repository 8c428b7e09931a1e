package io.ringmaster.control.plane;

import io.ringmaster.control.store.Measured;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Measurements in a few numbers.
 *
 * @param name of the model or group; empty: all
 * @param deviationSeconds standard deviation; NaN of fewer than two
 */
public record Summary(
    String name, int count, double meanSeconds, double medianSeconds, double deviationSeconds) {
  /** A model or a group with fewer is not listed by itself. */
  private static final int LEAST = 5;

  static Summary of(String name, Collection<Measured> measured) {
    double[] sorted = measured.stream().mapToDouble(Measured::seconds).sorted().toArray();
    int count = sorted.length;
    double mean = measured.stream().mapToDouble(Measured::seconds).average().orElse(Double.NaN);
    double squares = 0;
    for (double seconds : sorted) {
      squares += (seconds - mean) * (seconds - mean);
    }
    return new Summary(
        name,
        count,
        mean,
        count == 0 ? Double.NaN : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
        count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1)));
  }

  /** All of a kind. */
  public static Summary of(Measured.Kind kind, List<Measured> measured) {
    return of("", measured.stream().filter(m -> m.kind() == kind).toList());
  }

  /** Those of a kind by their model, say, by name; what has no name is left out. */
  public static List<Summary> by(
      Function<Measured, String> name, Measured.Kind kind, List<Measured> measured) {
    return measured.stream()
        .filter(m -> m.kind() == kind && !name.apply(m).isEmpty())
        .collect(Collectors.groupingBy(name, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .filter(of -> of.getValue().size() >= LEAST)
        .map(of -> of(of.getKey(), of.getValue()))
        .toList();
  }
}
