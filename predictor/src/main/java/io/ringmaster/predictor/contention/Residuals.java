package io.ringmaster.predictor.contention;

import io.ringmaster.predictor.regression.Estimate;
import io.ringmaster.predictor.regression.Tails;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How far measurements with something in common are from the line, relative to it.
 *
 * @param of the number of jobs, or the bytes, that they have in common
 * @param mean of (measured - fitted) / fitted; one value for each pair of jobs and bytes, or for
 *     each measurement if there is one pair
 * @param pValue the probability of so large a mean by chance (Student's t); NaN for a single value
 * @param significant whether that is below 5 % for all groups of the list together (Holm)
 */
public record Residuals(double of, int points, Estimate mean, double pValue, boolean significant) {
  private static final double LEVEL = 0.05;

  /** What rounding leaves of a perfect fit. */
  private static final double NO_ERROR = 1e-9;

  static List<Residuals> by(ToDoubleFunction<Cell> key, ContentionLine line, List<Cell> cells) {
    List<Residuals> groups = new ArrayList<>();
    for (double of : cells.stream().mapToDouble(key).distinct().sorted().toArray()) {
      groups.add(group(of, line, cells.stream().filter(c -> key.applyAsDouble(c) == of).toList()));
    }
    return flagged(groups);
  }

  private static Residuals group(double of, ContentionLine line, List<Cell> cells) {
    Cell first = cells.getFirst();
    double[] values =
        cells.size() == 1
            ? Arrays.stream(first.times()).map(t -> off(line, first, t)).toArray()
            : cells.stream().mapToDouble(c -> off(line, c, c.mean())).toArray();
    Estimate mean = Estimate.mean(values);
    return new Residuals(of, Cell.points(cells), mean, pValue(mean, values.length - 1), false);
  }

  private static double pValue(Estimate mean, int freedom) {
    if (freedom == 0) {
      return Double.NaN;
    }
    return Math.abs(mean.value()) < NO_ERROR
        ? 1
        : Tails.student(mean.value() / mean.standardError(), freedom);
  }

  private static double off(ContentionLine line, Cell cell, double seconds) {
    return (seconds - line.seconds(cell.jobs(), cell.bytes())) / line.scale(cell);
  }

  /** Holm's rule: of many groups, one in twenty must not stand out by chance. */
  private static List<Residuals> flagged(List<Residuals> groups) {
    List<Residuals> tested =
        groups.stream()
            .filter(g -> !Double.isNaN(g.pValue))
            .sorted(Comparator.comparingDouble(Residuals::pValue))
            .toList();
    List<Residuals> standOut = new ArrayList<>();
    for (Residuals group : tested) {
      if (group.pValue * (tested.size() - standOut.size()) >= LEVEL) {
        break;
      }
      standOut.add(group);
    }
    return groups.stream()
        .map(g -> new Residuals(g.of, g.points, g.mean, g.pValue, standOut.contains(g)))
        .toList();
  }
}
