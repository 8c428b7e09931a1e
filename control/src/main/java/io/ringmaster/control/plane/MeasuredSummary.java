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
public record MeasuredSummary(
    String name, int count, double meanSeconds, double medianSeconds, double deviationSeconds) {
  /** A model or a group with fewer is not listed by itself. */
  private static final int LEAST = 5;

  static MeasuredSummary of(String name, Collection<Measured> measured) {
    List<Double> all = measured.stream().map(Measured::seconds).toList();
    int count = all.size();
    double mean = all.stream().mapToDouble(s -> s).average().orElse(Double.NaN);
    double squares = all.stream().mapToDouble(s -> (s - mean) * (s - mean)).sum();
    return new MeasuredSummary(
        name,
        count,
        mean,
        Median.of(all),
        count < 2 ? Double.NaN : Math.sqrt(squares / (count - 1)));
  }

  /** All of a kind. */
  public static MeasuredSummary of(Measured.Kind kind, List<Measured> measured) {
    return of("", measured.stream().filter(m -> m.kind() == kind).toList());
  }

  /** Those of a kind by their model, say, by name; what has no name is left out. */
  public static List<MeasuredSummary> by(
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
